// A look-up in other words: `set fee to cost in Costs for "DE"`. The tables of the file say how to write it.

// Prepared on demand: the catalogue of messages, loaded for each file with a warning, includes this file, and V8 takes three milliseconds
// for these classes.
const NAME = String.raw`[\p{L}_][\p{L}\p{N}_-]*`;
const headPattern = (): RegExp =>
  new RegExp(`^(?:set (${NAME}) to |log |get |find |fetch |read |take )?(?:the )?(?:look ?up )?(?:the )?`, 'u');
const valuePattern = (): RegExp =>
  new RegExp(String.raw`^(?:(?:the )?(${NAME}) (?:is |= ?)?)?("[^"]*"|-?\d[\d.]*|${NAME}(?:\.[\p{L}\p{N}_-]+)*)$`, 'u');

/** The results before the name of the table. */
const resultsPattern = (): RegExp =>
  /^(?:([\p{L}_][\p{L}\p{N}_-]*(?:(?:, | and )[\p{L}_][\p{L}\p{N}_-]*)*) (?:in|from|of|per) )?(?:the )?(?:table )?$/u;

/** Longer sections with tables are not searched. */
const LONGEST_TABLES = 20_000;

interface TableWords {
  readonly name: string;
  /** `undefined` if they are in another file. */
  readonly headings: { readonly conditions: readonly string[]; readonly results: readonly string[] } | undefined;
}

/** The tables of the file, with the headings that are in it. */
function tablesIn(text: string): TableWords[] {
  const start = text.indexOf('\ntables:') + 1;
  const section = start === 0 ? '' : text.slice(start, start + LONGEST_TABLES);
  // Where the next section starts, whatever its name is.
  const end = section.search(/\n[^\s#]/);
  if (end === -1) return [];
  const lines = section.slice(0, end).split('\n');
  return lines.flatMap((line, index): TableWords[] => {
    const [, name, file] = /^ {4}([^ |#"][^|#":]*?)(:| is a table at ".*)$/.exec(line) ?? [];
    if (name === undefined) return [];
    if (file !== ':') return [{ name, headings: undefined }];
    const cells = lines[index + 1]?.split('|').map((cell) => cell.trim());
    if (cells?.[0] !== '') return [];
    const isCondition = (cell: string): boolean => cell.includes(' ');
    return [
      {
        name,
        headings: {
          conditions: cells.filter(isCondition).map((cell) => cell.split(' ', 1)[0] ?? ''),
          results: cells.filter((cell) => cell !== '' && !isCondition(cell)),
        },
      },
    ];
  });
}

/** `"DE" and weight 5` → `country "DE" and weight 5`; `undefined` if the values don't fit the conditions. */
function pairsOf(values: string, conditions: readonly string[] | undefined): string | undefined {
  const given = values.split(' and ').map((value) => valuePattern().exec(value));
  const left = new Set(conditions);
  const pairs = new Map<string, string>();
  for (const one of given) {
    if (one === null) return undefined;
    const [, key, value = ''] = one;
    const field = /^\p{L}/u.test(value) ? value.split('.').at(-1) : undefined;
    const name = key ?? (conditions === undefined ? field : ([...left].find((other) => other === field) ?? [...left][0]));
    if (name === undefined || (!left.delete(name) && conditions !== undefined)) return undefined;
    pairs.set(name, value);
  }
  return (conditions ?? [...pairs.keys()]).map((name) => `${name} ${pairs.get(name) ?? `request.${name}`}`).join(' and ');
}

/** Pairs for values that the line does not name. */
const requestPairs = (conditions: readonly string[] = []): string =>
  conditions.map((name) => `${name} request.${name}`).join(' and ');

/** The lines to write instead; `undefined` if the line looks nothing up, or its table is in another file. */
export function lookUpLines(line: string, text: string): string[] | undefined {
  if (line.length > 300 || !/^(?:set|log|look|get|find|fetch|read|take) /.test(line)) return undefined;
  const written = line.replace(/\s+/g, ' ').trim();
  const [head = '', variable] = headPattern().exec(written) ?? [];
  const rest = written.slice(head.length);
  if (head === '') return undefined;
  for (const { name, headings } of tablesIn(text)) {
    const at = rest.toLowerCase().indexOf(name.toLowerCase());
    const asked = at < 0 ? undefined : resultsPattern().exec(rest.slice(0, at));
    const values = /^ (?:for|with|by|where|when|of) (\S.*)$/.exec(rest.slice(at + name.length))?.[1];
    if (!asked || (values === undefined && (headings === undefined || rest.length > at + name.length))) continue;
    const result = asked[1] ?? (headings?.results.length === 1 ? headings.results[0] : undefined);
    const results = result?.split(/, | and /) ?? [];
    const pairs = values === undefined ? requestPairs(headings?.conditions) : pairsOf(values, headings?.conditions);
    if (result === undefined || pairs === undefined || results.some((one) => headings?.results.includes(one) === false)) continue;
    const lookUp = `look up ${result} in ${name} with ${pairs}`;
    if (lookUp === written) continue;
    if (results.length > 1) return [lookUp];
    if (head.startsWith('log ')) return [lookUp, `log ${result}`];
    return variable === undefined || variable === result ? [lookUp] : [lookUp, `set ${variable} to ${result}`];
  }
  return undefined;
}
