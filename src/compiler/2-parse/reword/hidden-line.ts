// A line whose quoted texts are hidden, so that rewording touches no word of them, and what the file around it declares and sets.

/** A letter of a name. Classes such as \p{L} take half a millisecond to compile. */
const LETTER = 'A-Za-z_\\u00c0-\\ud7ff';
/** A name. */
const NAME = `[${LETTER}][${LETTER}0-9-]{0,60}`;
/** A name with its fields. */
const PATH = `${NAME}(?:\\.[${LETTER}0-9-]{1,60}){0,6}`;
/** A quoted text, hidden. */
const TEXT = '\\ue000\\d{1,3}\\ue001';
const NUMBER = '-?\\d{1,15}(?:\\.\\d{1,10})?';
/** A single value. */
const VALUE = `(?:${TEXT}|${NUMBER}|${PATH})`;
const UNIT = '(?:(?:working )?(?:hour|day)|second|minute|week|month|year)s?';

const sources = new Map<string, RegExp>();

/** A pattern, made when it is first needed. In `words`, `<name>`, `<path>`, `<text>`, `<number>`, `<value>` and `<unit>` stand for the above. */
export function pattern(words: string, flags = ''): RegExp {
  const key = `${flags}/${words}`;
  const known = sources.get(key);
  if (known !== undefined) {
    known.lastIndex = 0;
    return known;
  }
  const source = words
    .replaceAll('<name>', NAME)
    .replaceAll('<path>', PATH)
    .replaceAll('<text>', TEXT)
    .replaceAll('<number>', NUMBER)
    .replaceAll('<value>', VALUE)
    .replaceAll('<unit>', UNIT);
  const made = new RegExp(source, flags);
  sources.set(key, made);
  return made;
}

/** Words that are no part of another word. */
export const word = (words: string): string => `(?<![${LETTER}0-9.-])(?:${words})(?![${LETTER}0-9-])`;

/** The texts of one line, hidden from those who reword it. */
export class HiddenTexts {
  readonly #texts: string[] = [];
  readonly #kept = new Set<number>();

  /** Text in quotes, as written between them. */
  hide(inner: string): string {
    this.#texts.push(inner);
    return `\ue000${this.#texts.length - 1}\ue001`;
  }

  /** Words that stay as they are, without quotes. */
  keep(words: string): string {
    this.#kept.add(this.#texts.length);
    return this.hide(words);
  }

  /** The content of a hidden text between its quotes; `undefined` for anything else. */
  inner(value: string): string | undefined {
    const index = /^\ue000(\d{1,3})\ue001$/.exec(value)?.[1];
    return index === undefined ? undefined : this.#texts[Number(index)];
  }

  /** The hidden text, with other words. */
  change(hidden: string, inner: string): string {
    this.#texts[Number(hidden.slice(1, -1))] = inner;
    return hidden;
  }

  /** A line with straight quotes: single, curly and missing ones are replaced. */
  hideAll(line: string): string {
    const straight = line
      .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
      .replace(/(?<=^|[\s([,])['\u2018\u201a]/g, '"')
      .replace(/['\u2019](?=$|[\s:,)\]])/g, '"')
      .replace(/\u2019/g, "'");
    const quotes = straight.match(/(?<!\\)"/g)?.length ?? 0;
    const opensBlock = /^(?:if|otherwise|for|repeat|while|unless)\b/.test(straight) && straight.endsWith(':');
    const closed = quotes % 2 === 0 ? straight : opensBlock ? `${straight.slice(0, -1)}":` : `${straight}"`;
    return closed.replace(/"((?:\\.|[^"\\])*)"?/g, (_, inner: string) => this.hide(inner));
  }

  show(line: string): string {
    return line.replace(/\ue000(\d{1,3})\ue001/g, (_, index: string) => {
      const inner = this.#texts[Number(index)] ?? '';
      return this.#kept.has(Number(index)) ? inner : `"${inner}"`;
    });
  }
}

type SectionName = 'config' | 'inputs' | 'services' | 'tables' | 'workflow';

/** Names that a line can refer to. */
export interface AroundLine {
  /** `undefined` for the heads of sections. */
  readonly section: SectionName | undefined;
  /** The line above that opens the block; empty at the margin. */
  readonly parent: string;
  /** Declared inputs, and what each is: `a date`. */
  readonly inputs: ReadonlyMap<string, string>;
  /** Fields of declared records, at any depth. */
  readonly fields: ReadonlySet<string>;
  /** Services by name, with the words that say what they are: `a mail server`. */
  readonly services: ReadonlyMap<string, string>;
  readonly tables: ReadonlySet<string>;
  readonly hasTrigger: boolean;
  /** Names that other lines set, and items of loops. */
  readonly variables: ReadonlySet<string>;
  /** Lists whose items a name stands for, or is some of: `boat` and `heavy` → `request.boats`. */
  readonly origins: ReadonlyMap<string, string>;
  /** Declared fields with all names before them, and what each is: `request.patient.phone`, `request.boats.weight`; variables, and fields of them that other lines read. */
  readonly declared: ReadonlyMap<string, string>;
  /** What can have one of a few texts, by the text: `decline` → `decision`. */
  readonly choices: ReadonlyMap<string, ReadonlySet<string>>;
  /** Where the calls of a service go: `jobs`. */
  readonly addresses: ReadonlySet<string>;
}

/** Characters that are read for the surroundings of a line. */
const FARTHEST = 100_000;

/** What the lines of the workflow tell of their names. */
interface Found {
  readonly variables: Set<string>;
  readonly origins: Map<string, string>;
  readonly declared: Map<string, string>;
  readonly choices: Map<string, Set<string>>;
  readonly addresses: Set<string>;
  /** The choices of the question above, until its result is saved. */
  chosen: string;
}

function choose(words: string, path: string, choices: Found['choices']): void {
  for (const [, text = ''] of words.matchAll(/"([^"]{1,60})"/g)) choices.set(text, (choices.get(text) ?? new Set()).add(path));
}

/** What a variable holds, by the value that it is set to. */
const KINDS: readonly (readonly [told: RegExp, kind: string])[] = [
  [/^(?:\[|each |unique of )| grouped by /, 'a list'],
  [/^(?:true|false)$/, 'yes or no'],
  [/ (?:plus|minus) \S{1,60} (?:working )?(?:hour|day|week|month|year)s?$/, 'a date'],
  [
    /^-?\d[\d.]*$|^(?:(?:working )?(?:hour|day|week|month|year)s from|count of|sum of|average of) |\w (?:times|plus|minus|divided by|percent of) /,
    'a number',
  ],
];

function readStatement(line: string, found: Found): void {
  const { variables, origins, declared, choices, addresses } = found;
  const set = /^ *(?:set|save the [a-z ]{1,20} as|for each|add .{1,60} to|look up) ([^\s,."]{1,60})/.exec(line)?.[1];
  if (set !== undefined) variables.add(set);
  const [, first = '', value = ''] = /^ *set (\S{1,60}) to (.{1,200})/.exec(line) ?? [];
  const kind = KINDS.find(([told]) => told.test(value))?.[1];
  if (kind !== undefined && !declared.has(first)) declared.set(first, kind);
  if (/^"[^"]*"$/.test(value)) choose(value, first, choices);
  for (const [, path = '', text = ''] of line.matchAll(/(?<![\w.-])([A-Za-z_][\w.-]{0,60}) is (?:not )?("[^"]{1,60}")/g))
    choose(text, path, choices);
  const [, what = '', result = ''] = /^ *save the (result|confidence|status) as (\S{1,60})$/.exec(line) ?? [];
  if (what === 'result') choose(found.chosen, result, choices);
  else if (what !== '') declared.set(result, 'a number');
  found.chosen =
    /^ *choose from (.{1,200})/.exec(line)?.[1] ?? (/^ *(?:within|remind|addressed|save the)\b/.test(line) ? found.chosen : '');
  for (const [path, owner = ''] of line.matchAll(/(?<![\w.-])([A-Za-z_][\w-]{0,60})(?:\.[A-Za-z_][\w-]{0,60}){1,4}(?![\w-])/g))
    if (variables.has(owner) && !declared.has(path)) declared.set(path, '');
  const [, item = '', list = ''] = /^ *add (\S{1,60}) to (\S{1,60})$/.exec(line) ?? [];
  if (origins.has(item)) origins.set(list, origins.get(item) ?? '');
  const address = / using \S{1,60} at "([\w-]{1,60})"/.exec(line)?.[1];
  if (address !== undefined) addresses.add(address);
  const [, some, each, all] = /^ *(?:set (\S{1,60}) to |for )each (\S{1,60}) in ([^\s,:]{1,200})/.exec(line) ?? [];
  for (const name of [some, each]) if (name !== undefined && all !== undefined) origins.set(name, all);
}

/** @param at offset of the line */
export function aroundLine(text: string, at: number): AroundLine {
  const inputs = new Map<string, string>();
  const fields = new Set<string>();
  const services = new Map<string, string>();
  const tables = new Set<string>();
  const variables = new Set<string>();
  const origins = new Map<string, string>();
  const declared = new Map<string, string>();
  const choices = new Map<string, Set<string>>();
  const addresses = new Set<string>();
  const found = { variables, origins, declared, choices, addresses, chosen: '' };
  const above = ['request'];
  let section: SectionName | undefined;
  let offset = 0;
  let here: SectionName | undefined;
  for (const line of text.slice(0, FARTHEST).split('\n')) {
    const head = /^(config|inputs|services|tables|workflow):?\s*$/i.exec(line)?.[1];
    const isHere = offset === at;
    if (isHere) here = head === undefined ? section : undefined;
    offset += line.length + 1;
    if (head !== undefined)
      section = head.toLowerCase() as SectionName; // one of the five
    else if (isHere) continue;
    else if (section === 'inputs') {
      const [, indent = '', name, kind = ''] = /^( {4,200})([^\s":]{1,60}) is (.{0,200})/.exec(line) ?? [];
      if (name === undefined) continue;
      const depth = indent.length / 4;
      above.splice(depth, above.length, name);
      const path = above.join('.');
      declared.set(path, kind);
      if (kind.startsWith('one of')) choose(kind.replace(/, otherwise .*/, ''), path, choices);
      if (depth === 1) inputs.set(name, kind);
      else fields.add(name);
    } else if (section === 'services') {
      const [, name, kind = ''] = /^ {4}([^\s":]{1,60}) is (an? [A-Za-z]{1,20}(?: server)?)/.exec(line) ?? [];
      if (name !== undefined) services.set(name, kind);
    } else if (section === 'tables') {
      const name = /^ {4}(\S.{0,60}?)(?::$| is a table)/.exec(line)?.[1];
      if (name !== undefined) tables.add(name);
    } else if (section === 'workflow') readStatement(line, found);
  }
  const hasTrigger = /^ {4}trigger:/m.test(text.slice(0, FARTHEST));
  return {
    section: here,
    parent: parentOf(text, at),
    inputs,
    fields,
    services,
    tables,
    variables,
    origins,
    declared,
    choices,
    addresses,
    hasTrigger,
  };
}

/** The nearest line above that is less indented, if it is near. */
function parentOf(text: string, at: number): string {
  const indent = /^ {0,200}/.exec(text.slice(at, at + 200))?.[0].length ?? 0;
  const above = text
    .slice(Math.max(0, at - 20_000), at)
    .split('\n')
    .slice(-200);
  for (const line of above.reverse())
    if (line.trim() !== '' && (/^ {0,200}/.exec(line.slice(0, 200))?.[0].length ?? 0) < indent) return line.trim();
  return '';
}
