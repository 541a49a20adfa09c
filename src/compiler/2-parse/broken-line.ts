// What remains of a line that cannot be parsed, so that it causes no second message.
import { wordCharacter } from '../1-layout/alphabet.js';
import { type Line, lineSpan } from '../1-layout/line.js';
import { statementOf } from '../vocabulary/first-words.js';
import { parseAnswerLines, parseCallOptions } from './call-options.js';
import { type ParseContext, type Surroundings, withJoined } from './context.js';
import { meantStatement } from './explain/explain.js';
import { fits, opens } from './match-line.js';
import { parseLookUpOptions, parseMessageOptions } from './message-options.js';
import type { Broken } from './tree.js';

/** Whether a line that cannot be parsed was meant to begin with this statement. */
export const wasMeantAs = (line: Line, context: ParseContext, word: string): boolean => {
  const first = context.name(line, 0)?.text;
  return first !== undefined && meantStatement(first) === word;
};

const USING = wordCharacter('using') ?? '';

/** What remains of a line that cannot be parsed: what it may have set, what it uses, and its block. */
export function brokenLine(line: Line, context: ParseContext, around: Surroundings): Broken {
  const form = statementOf(meantStatement(context.name(line, 0)?.text ?? '') ?? '');
  const isCall =
    line.shape.includes(USING) ||
    form?.under === 'options' ||
    line.children.some((child) => fits('callOptionLine', child.shape + opens(child.children)));
  const names = context.names(line);
  const at = { kind: 'broken', names, span: lineSpan(line), line: line.number } as const;
  if (isLookUp(line, context)) {
    const { nothing, stray } = parseLookUpOptions(line.children, context, around);
    const body = [...(nothing?.body ?? []), ...context.block(stray, around)];
    return { ...at, ...definedBy(line, names), body };
  }
  if (wasMeantAs(line, context, 'complete') && !line.shape.includes(USING)) {
    const { stray } = parseAnswerLines(line.children, context);
    return { ...at, ...definedBy(line, names), body: context.block(stray, around) };
  }
  if (isCall) {
    const { saves, onFailure, onSuccess, unread, stray } = parseCallOptions(line.children, context, around, false);
    const defines = [...saves.map((save) => save.name.text), ...(unread?.names ?? []), ...alsoSet(line, context)];
    return {
      ...at,
      defines,
      nameless: unread?.nameless === true,
      body: [...(onFailure?.body ?? []), ...(onSuccess?.body ?? []), ...context.block(stray, around)],
    };
  }
  if (line.children.some((child) => fits('messageOptionLine', child.shape + opens(child.children)))) {
    const { save, silence, onSuccess, unread, stray } = parseMessageOptions(line.children, context, around);
    const defines = [...(save === undefined ? [] : [save.text]), ...(unread?.names ?? [])];
    return {
      ...at,
      defines,
      nameless: false,
      body: [...(silence?.body ?? []), ...(onSuccess?.body ?? []), ...context.block(stray, around)],
    };
  }
  // No one knows what it was meant to be; perhaps a loop.
  const isLoop = form?.under !== 'statements';
  const body = context.block(line.children, { inLoop: around.inLoop || isLoop });
  const { defines, nameless } = definedBy(line, names);
  return { ...at, defines: [...defines, ...alsoSet(line, context)], nameless, body };
}

const character = (word: string): string => wordCharacter(word) ?? '';

/** `Look at the order:` is not one: it may be a step. */
const isLookUp = (line: Line, context: ParseContext): boolean =>
  (wasMeantAs(line, context, 'look') && (line.children.length === 0 || line.shape.charAt(1) === character('up'))) ||
  line.children.some((child) => fits('lookUpOptionLine', child.shape + opens(child.children)));

const SET_TO = new RegExp(`^${character('set')}[^;]${character('to')}`);
const FOR_IN = new RegExp(`^${character('for')}${character('each')}[^;]${character('in')}`);
const FOR_EACH = new RegExp(`^${character('for')}${character('each')}`);
const FOR_ALL = new RegExp(`^${character('for')}[^${character('in')}]*$`);
/** These words touch only if the name between them is missing. */
const NAMELESS = new RegExp(
  `^${character('set')}${character('to')}|^${character('for')}${character('each')}?${character('in')}|${character('to')}$|` +
    `^${character('for')}${character('each')}(${character('and')}|[^;]${character('and')}${character('in')})|` +
    `^${character('look')}${character('up')}([^;]*${character('and')})?[${character('and')}${character('in')}]`,
);

/** Names that further statements of the line set: `set a to 1, set b to 2`, `… and save the result as order`. */
function alsoSet(line: Line, context: ParseContext): string[] {
  const words = context.text.slice(line.start, Math.min(line.end, line.start + 400)).split(/\s+/);
  const set = words.filter((_, index) => words[index - 1] === 'set' && words[index + 1] === 'to');
  const isSaved = words.at(-2) === 'as' && (words.includes('save') || words.includes('store'));
  return [...set, ...(isSaved ? words.slice(-1) : [])];
}

/** The names that a line may have set: the one in the right place if the start of the line can be parsed, otherwise any of them. */
function definedBy({ shape }: Line, names: readonly string[]): Pick<Broken, 'defines' | 'nameless'> {
  if (SET_TO.test(shape)) return { defines: names.slice(1, 2), nameless: false };
  if (FOR_IN.test(shape)) return { defines: names.slice(2, 3), nameless: false };
  // Including names that were joined to the word before or after them.
  const apart = withJoined(names).flatMap((name) => [
    name,
    name.replace(/^(set|each|as|to|and)/, ''),
    name.replace(/(to|in|and)$/, ''),
  ]);
  const isItemMissing = FOR_EACH.test(shape) && (names[2] ?? 'request') === 'request';
  // `for all request.items:`
  const items = FOR_ALL.test(shape) ? names.map((name) => name.replace(/s$/, '')) : [];
  return { defines: [...apart, ...items], nameless: isItemMissing || NAMELESS.test(shape) };
}
