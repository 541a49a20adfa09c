// Compiles `wf.ohm`, which people read, for the parser: every keyword becomes one character of a private alphabet, because the parser reads
// tokens. Runs at build time; the result contains the recipe of the grammar and the table of its keywords.
import * as ohm from 'ohm-js';

/** Characters of the token classes; src/compiler/1-layout/alphabet.ts reads the same table. */
export const classes = { name: 'n', path: 'p', number: 'd', text: 't', raw: 'r', lines: 'l', group: 'g', indent: '{', eol: ';' };

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

/** The text of the module that the build substitutes for `wf:grammar`: the grammar as a recipe, which loads without parsing. */
export function grammarModule(source) {
  const recipe = ohm.grammar(translate(source).ohm).toRecipe();
  return `import { makeRecipe } from 'ohm-js';
export const loadGrammar = () => makeRecipe(${recipe});
`;
}

/**
 * The input of the matcher in `src/compiler/2-parse/match-by-rules.ts`: the name of each rule, its body as JSON, and the tokens that it can
 * start with. A small file needs few of the rules, so each is parsed when it is first tried. Lists of texts cost a start nothing, unlike
 * objects with as many fields.
 */
export function rulesModule(source) {
  const { rules } = ohm.grammar(translate(source).ohm);
  const names = [...Object.keys(rules), 'any'];
  const bodies = names.map((name) => (name === 'any' ? ['any'] : expression(rules[name].body, names)));
  const starts = bodies.map((body) => startsOf(body, bodies));
  const lists = {
    names,
    bodies: bodies.map((body) => JSON.stringify(body)),
    starts: starts.map(({ tokens, isEmpty }) => (isEmpty ? 0 : (tokens ?? 0))),
  };
  return Object.entries(lists)
    .map(([name, list]) => `export const ${name} = ${JSON.stringify(list)};\n`)
    .join('');
}

/** The tokens that an expression can start with, `undefined` for any token, and whether it also matches nothing. */
function startsOf([operator, ...operands], bodies) {
  switch (operator) {
    case 'terminal':
      return { tokens: operands[0].slice(0, 1), isEmpty: operands[0] === '' };
    case 'rule':
      return startsOf(bodies[operands[0]], bodies);
    case 'first of': {
      const choices = operands.map((choice) => startsOf(choice, bodies));
      return { tokens: together(choices), isEmpty: choices.some(({ isEmpty }) => isEmpty) };
    }
    case 'all of': {
      const parts = [];
      // What comes after a part that consumes something may be the rule itself.
      for (const part of operands) if (parts.push(startsOf(part, bodies)) && !parts.at(-1).isEmpty) break;
      return { tokens: together(parts), isEmpty: parts.every(({ isEmpty }) => isEmpty) };
    }
    case 'repeated': {
      const { tokens, isEmpty } = startsOf(operands[0], bodies);
      return { tokens, isEmpty: isEmpty || operands[2] === 0 };
    }
    // It consumes nothing, so what follows decides.
    case 'not':
      return { tokens: '', isEmpty: true };
    // A range holds too many tokens to list.
    default:
      return { tokens: undefined, isEmpty: false };
  }
}

const together = (parts) =>
  parts.some(({ tokens }) => tokens === undefined) ? undefined : [...new Set(parts.flatMap(({ tokens }) => [...tokens]))].join('');

/** One parsing expression of Ohm as data; a rule is its index in `names`. Unsupported ones stop the build instead of being misread. */
function expression(body, names) {
  const part = (inner) => expression(inner, names);
  const { Terminal, Range, Alt, Seq, Iter, Not, Apply } = ohm.pexprs;
  if (body instanceof Terminal) return ['terminal', body.obj];
  if (body instanceof Range) return ['range', body.from, body.to];
  if (body instanceof Alt) return ['first of', ...body.terms.map(part)];
  if (body instanceof Seq) return ['all of', ...body.factors.map(part)];
  if (body instanceof Iter) {
    const most = Number.isFinite(body.maxNumMatches) ? body.maxNumMatches : null;
    return ['repeated', part(body.expr), body.expr.getArity(), body.minNumMatches, most];
  }
  if (body instanceof Not) return ['not', part(body.expr)];
  if (body instanceof Apply && body.args.length === 0 && names.includes(body.ruleName))
    return ['rule', names.indexOf(body.ruleName)];
  throw new Error(`The grammar uses ${body.toString()}, which the matcher does not know`);
}
