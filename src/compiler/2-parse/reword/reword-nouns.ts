// Finds what a line talks about: `the patient's phone`, `phone of the patient`, `request["patient"]["phone"]` and `weight of the boat` are
// names of the file, with spaces, articles and signs in other places.
import { isOwnWord } from '../../1-layout/alphabet.js';
import type { AroundLine } from './hidden-line.js';

const ARTICLE = /^(?:the|an?|its|their|his|her|our|this|that|each|every|all|we|it|they|he|she|you)$/;
const MOST_WORDS = 5;
/** Nouns that say what a name is: `due date`, `packing list`. */
const KIND_NOUN = /^(?:date|time|day|list|number|name|value|amount|address)$/;

const keyOf = (words: string): string => words.toLowerCase().replace(/[^a-z0-9\u00c0-\ud7ff]/g, '');

/** Names of the file by what people may call them. A name that two things could have is none. */
function namesIn({ variables, declared, origins }: AroundLine): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const layers: string[][] = [[...variables], [], [...declared.keys()]];
  for (const [name, list] of origins) {
    if (declared.get(name) === 'a list') continue;
    const root = origins.get(list) ?? list;
    for (const path of declared.keys()) if (path.startsWith(`${root}.`)) layers[1]?.push(name + path.slice(root.length));
  }
  for (const layer of layers) {
    const here = new Map<string, string>();
    for (const path of layer) {
      const parts = path.split('.');
      for (let from = 0; from < parts.length; from++) {
        const key = keyOf(parts.slice(from).join(''));
        here.set(key, (here.get(key) ?? path) === path ? path : '');
      }
    }
    for (const [key, path] of here) if (!found.has(key)) found.set(key, path);
  }
  // `training` → `training-months`
  const parts = new Map<string, string>();
  for (const path of [...variables, ...declared.keys()])
    for (const part of (path.split('.').pop() ?? '').split('-'))
      if (path.includes('-')) parts.set(part, (parts.get(part) ?? path) === path ? path : '');
  for (const [part, path] of parts) if (part.length > 3 && !found.has(part) && !isOwnWord(part)) found.set(part, path);
  return found;
}

/** The name that some words stand for. */
function nameOf(words: readonly string[], names: ReadonlyMap<string, string>): string | undefined {
  const link = words.findIndex((one) => /^(?:of|in|from|for)$/.test(one));
  const turned = link < 1 ? words : [...words.slice(link + 1), ...words.slice(0, link)];
  const said = turned.filter((one) => !ARTICLE.test(one)).join('');
  const key = keyOf(said.replace(/'s/g, ''));
  const many = turned.length > 1 ? key.replace(/s$/, '') : key;
  // `due date`, but not `date of due`
  for (const one of [key, many, ...(link < 1 ? [key.replace(/(?:date|value|number|name|code)$/, '')] : [])]) {
    const name = names.get(one);
    if (name !== undefined && name !== '' && one !== '') return name;
  }
  return undefined;
}

/** Words that a name follows which is none of the file's, or not yet. */
const BEFORE_NEW_NAME = /^(?:set|as|each|some|every|using|by|save|look|up|wait)$/;

/** The tokens of a line with the names that they stand for. */
export function withNames(tokens: readonly string[], around: AroundLine): string[] {
  const names = namesIn(around);
  const found: string[] = [];
  const using = tokens.indexOf('using');
  for (let from = 0; from < tokens.length; ) {
    const before = tokens[from - 1] ?? '';
    let [count, name]: [number, string | undefined] = [0, undefined];
    if (from > using && !BEFORE_NEW_NAME.test(before) && /^[A-Za-z_\u00c0-\ud7ff]/.test(tokens[from] ?? ''))
      for (count = Math.min(MOST_WORDS, tokens.length - from); count > 0; count--) {
        const words = tokens.slice(from, from + count);
        if (words.some((one) => !/^[A-Za-z_\u00c0-\ud7ff][^,:()]*$/.test(one)) || isOwnWord(words.at(-1) ?? '')) continue;
        if (words.every((one) => isOwnWord(one) || ARTICLE.test(one))) continue;
        name = nameOf(words, names);
        if (name !== undefined) break;
      }
    if (name === undefined) found.push(tokens[from++] ?? '');
    else {
      found.push(name);
      from += count;
    }
  }
  return found;
}

/** Names that the words from one on may stand for, and where they end; the longest first. */
export function spokenName(
  tokens: readonly string[],
  from: number,
  around: AroundLine,
  scope: readonly [item: string, list: string] | undefined,
): readonly { readonly end: number; readonly name: string; readonly cost: number }[] {
  const names = namesOf(around);
  const found: { end: number; name: string; cost: number }[] = [];
  for (let count = Math.min(MOST_WORDS + 1, tokens.length - from); count > 0; count--) {
    const words = tokens.slice(from, from + count);
    if (
      words.some((one) => one !== "'s" && !/^[A-Za-z_\u00c0-\ud7ff][^,:()]*$/.test(one)) ||
      (count > 1 && isOwnWord(words.at(-1) ?? '') && !KIND_NOUN.test(words.at(-1) ?? ''))
    )
      continue;
    const said = words.filter((one) => !ARTICLE.test(one) && one !== "'s" && !/^(?:new|current|old)$/.test(one));
    const end = from + count;
    const put = (name: string | undefined, cost: number): void => {
      if (name !== undefined && name !== '' && !found.some((one) => one.end === end && one.name === name))
        found.push({ end, name, cost });
    };
    const field = scope === undefined ? undefined : around.declared.has(`${scope[1]}.${said.join('-')}`);
    if (field === true) {
      put(`${scope?.[0]}.${said.join('-')}`, 0);
      continue;
    }
    const [word = ''] = words;
    if (count === 1 && (around.variables.has(word) || /^\w[\w-]*\.\w/.test(word))) {
      put(word, 0);
      continue;
    }
    put(
      nameOf(
        words.filter((one) => one !== "'s"),
        names,
      ),
      words.length === 1 ? 0 : 0.2,
    );
    const [owner = '', ...rest] = said;
    put(around.declared.has(`${owner}.${rest.join('-')}`) ? `${owner}.${rest.join('-')}` : undefined, 0.2);
    const head = KIND_NOUN.test(rest.at(-1) ?? '') ? said.slice(0, -1).join('') : said.join('');
    for (const other of [head, `${head}s`, head.replace(/s$/, '')]) put(names.get(keyOf(other)), 1);
    if (said.length === 3 && said[1] === 'of' && around.variables.has(said[2] ?? '')) put(`${said[2]}.${owner}`, 2);
    if (rest.length === 1 && around.variables.has(owner) && !isOwnWord(rest[0] ?? '')) put(`${owner}.${rest[0]}`, 2);
  }
  return found;
}

const known = new WeakMap<AroundLine, ReadonlyMap<string, string>>();

function namesOf(around: AroundLine): ReadonlyMap<string, string> {
  const names = known.get(around) ?? namesIn(around);
  known.set(around, names);
  return names;
}
