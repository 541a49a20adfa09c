// Compiles `wf.ohm`, which people read, for the parser: every keyword becomes one character of a private alphabet, because the parser reads
// tokens. Runs at build time; the result contains the recipe of the grammar and the table of its keywords.
import * as ohm from 'ohm-js';

/** Characters of the token classes; src/compiler/1-layout/alphabet.ts reads the same table. */
export const classes = { name: 'n', path: 'p', number: 'd', text: 't', raw: 'r', lines: 'l', group: 'g', indent: '{', dedent: '}', eol: ';' };

/** The keywords start here, in the order of the grammar. */
export const firstWord = 0xe000;
const lastWord = 0xe0ff;

const escaped = (code) => `\\u{${code.toString(16)}}`;

/**
 * @param {string} source text of the grammar file
 * @returns {{ words: string[], ohm: string }} the keywords in the order of their characters, and the grammar over the private alphabet
 */
export function translate(source) {
  const words = [];
  const character = (word) => {
    if (!words.includes(word)) words.push(word);
    return escaped(firstWord + words.indexOf(word));
  };
  const translated = source.replace(/\/\/.*$/gm, '').replace(/"([^"]+)"/g, (_, text) => {
    if (text === '<word>') return `"${escaped(firstWord)}".."${escaped(lastWord)}"`;
    const name = /^<(\w+)>$/.exec(text)?.[1];
    if (name !== undefined) {
      if (!(name in classes)) throw new Error(`The grammar names the unknown class of tokens <${name}>`);
      return `"${classes[name]}"`;
    }
    return /^[A-Za-z]/.test(text) ? `"${text.split(' ').map(character).join('')}"` : `"${text}"`;
  });
  if (words.length > lastWord - firstWord) throw new Error('The private alphabet is full');
  return { words, ohm: translated };
}

/** The text of the module that the build substitutes for `wf:words`. */
export function wordsModule(source) {
  const { words } = translate(source);
  return `export const words = ${JSON.stringify(words)};
export const classes = ${JSON.stringify(classes)};
export const firstWord = ${firstWord};
`;
}

/**
 * The text of the module that the build substitutes for `wf:grammar`: the grammar as a recipe, which loads without parsing. It leaves out
 * the source, which Ohm would only quote in messages about the grammar itself.
 */
export function grammarModule(source) {
  const grammar = ohm.grammar(translate(source).ohm);
  grammar.source = undefined;
  // As plain ASCII: V8 reads JSON in less time than the same as code, with half the machine code to load.
  const recipe = grammar.toRecipe().replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `import { makeRecipe } from 'ohm-js';
export const readRecipe = () => JSON.parse(${JSON.stringify(recipe)});
export const loadGrammar = () => makeRecipe(readRecipe());
`;
}
