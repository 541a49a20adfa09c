// The header cells of a table go in, one name for each column comes out, all different. Shared by CSV files and sheets.

export interface ColumnNames {
  readonly names: string[];
  /** One sentence for each header that is not called what the file says; blanks around a header are not worth one. */
  readonly warnings: string[];
}

/**
 * Headers are trimmed; an empty one becomes `column-<n>`, a repeated one gets `-2`, `-3` … (`behaviour.md` 3). A name that the file itself
 * gives to another column is passed over, so that no column loses the header it was given.
 */
export function columnNames(headers: readonly string[]): ColumnNames {
  const trimmed = headers.map((header) => header.trim());
  const given = new Set(trimmed);
  const used = new Set<string>();
  const nextSuffix = new Map<string, number>();
  const warnings: string[] = [];
  const names = trimmed.map((header, index) => {
    const wanted = header === '' ? `column-${index + 1}` : header;
    let name = wanted;
    if (used.has(wanted) || (header === '' && given.has(wanted))) {
      let suffix = nextSuffix.get(wanted) ?? 2;
      while (used.has(`${wanted}-${suffix}`) || given.has(`${wanted}-${suffix}`)) suffix++;
      nextSuffix.set(wanted, suffix + 1);
      name = `${wanted}-${suffix}`;
    }
    used.add(name);
    if (header === '') warnings.push(`column ${index + 1} has no header; it is called "${name}"`);
    else if (name !== header)
      warnings.push(`the header "${header}" stands there more than once; column ${index + 1} is called "${name}"`);
    return name;
  });
  return { names, warnings };
}
