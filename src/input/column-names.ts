// Turns the header cells of a table into unique column names. Shared by CSV files and spreadsheets.

export interface ColumnNames {
  readonly names: string[];
  /** One sentence per header that was renamed. Trimming spaces is not worth a warning. */
  readonly warnings: string[];
}

/**
 * Trims headers; an empty one becomes `column-<n>`, a repeated one gets `-2`, `-3` … Skips names that the file itself gives to
 * another column, so that every column keeps its own header.
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
    if (header === '') warnings.push(`column ${index + 1} has no header; using "${name}"`);
    else if (name !== header)
      warnings.push(`the header "${header}" appears more than once; using "${name}" for column ${index + 1}`);
    return name;
  });
  return { names, warnings };
}
