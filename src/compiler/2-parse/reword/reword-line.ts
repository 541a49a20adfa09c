// A line with a mistake, as the language would have it: what people write in other words, in signs, and in the habits of other languages. The
// rewording is only a proposal; `working-fixes.ts` compiles it in its place before anyone sees it.
import { isOwnWord } from '../../1-layout/alphabet.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { Rewording } from '../../diagnostics/working-fixes.js';
import { type AroundLine, aroundLine, HiddenTexts } from './hidden-line.js';
import { rewordDeclaration } from './reword-declarations.js';
import { rewordOption, rewordStatement } from './reword-statements.js';
import { rewordKinds, rewordValues } from './reword-values.js';

/** No one writes longer lines by hand, and rewording them would take long. */
const LONGEST = 300;
/** Lines that begin so have others under them that are no statements. */
const HAS_OPTIONS = /\busing\b|^ask\b|^wait for\b/;

/** The lines that may be meant by the one with a mistake, without indentation; the likeliest first. */
export function rewordLine(text: string, diagnostic: Diagnostic): readonly Rewording[] {
  const start = text.lastIndexOf('\n', diagnostic.span.start - 1) + 1;
  const next = text.indexOf('\n', start);
  const written = text.slice(start, next === -1 ? text.length : next);
  const line = written.trim();
  if (line === '' || line.length > LONGEST || /[\ue000\ue001]/.test(line)) return [];
  const shown = (diagnostic.hint ?? '').split('\n').filter((one) => one.startsWith('    '));
  // The message already shows this very line in other words.
  if (shown.length > 1 && shown.every((one) => isAbout(one, line))) return [];
  const around = aroundLine(text, start);
  const indent = written.length - written.trimStart().length;
  const place = { from: diagnostic.span.start - start - indent, to: diagnostic.span.end - start - indent };
  const said = new Set<string>(fromMessage(line, place, diagnostic, around));
  for (const way of ways(line, around)) {
    const texts = new HiddenTexts();
    const meant = texts.show(way(hidden(line, texts, around), texts)).trim();
    if (meant !== line && keepsData(line, meant, around)) said.add(meant);
  }
  said.delete(line);
  return [...said].map((meant) => ({ line: meant, reason: reasonOf(line, meant) }));
}

type Way = (line: string, texts: HiddenTexts) => string;

/** A rewording that changes more, or guesses more, is tried later. */
function ways(line: string, around: AroundLine): readonly Way[] {
  if (around.section !== 'workflow') return [(words, texts) => rewordDeclaration(words, { texts, around })];
  if (/^when\b/.test(line) && !around.hasTrigger) return [(words) => `trigger: ${words}`];
  if (/^trigger\b/.test(line)) return [];
  const isOption = HAS_OPTIONS.test(around.parent);
  const values: Way = (words, texts) => rewordValues(words, { texts, around });
  const frame: Way = (words, texts) => (isOption ? rewordOption : rewordStatement)(words, { texts, around });
  const whole: Way = (words, texts) => {
    const framed = values(frame(words, texts), texts);
    return isOption ? framed : frame(framed, texts);
  };
  return [whole, values, frame, (words, texts) => rewordKinds(whole(words, texts), { texts, around })];
}

/** Without bullets, and with all hidden that is free text. */
function hidden(line: string, texts: HiddenTexts, { section }: AroundLine): string {
  if (section !== 'workflow') return texts.hideAll(line);
  const plain = line.replace(/^(?:[-*•] |\d{1,2}[.)] )/, '').replace(/;$/, '');
  const [, head, question] = /^((?:ask|tell|request|require) (?:the |our )?\S+ to:? )(?!")(.+)$/.exec(plain) ?? [];
  return head === undefined || question === undefined
    ? texts.hideAll(plain)
    : head.replace(/\b(?:the|our) /, '') + texts.keep(question);
}

/** What the message already says in words: the name of an input, a text without quotes, a value that a table needs. */
function fromMessage(
  line: string,
  { from, to }: { readonly from: number; readonly to: number },
  { message, hint = '' }: Diagnostic,
  { inputs, variables }: AroundLine,
): string[] {
  const put = (words: string): string => line.slice(0, from) + words + line.slice(to);
  const written = line.slice(from, to);
  const known = (name: string): string | undefined =>
    inputs.has(name) ? `request.${name}` : variables.has(name) ? name : undefined;
  const input = inputs.has(written.split('.')[0] ?? written) ? [put(`request.${written}`)] : [];
  const needed = /^The table ".*" also needs "([^"]{1,60})"\.$/.exec(message)?.[1];
  return [
    ...(hint.includes(`write request.${written}`) ? input : []),
    ...(needed === undefined || known(needed) === undefined ? [] : [`${line} and ${needed} ${known(needed)}`]),
  ];
}

const UNIT = /^(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)$/;

/** Whether an example has no names, units and numbers but those of the line. */
export function isAbout(example: string, line: string): boolean {
  const said = new Set(line.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);
  return (example.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).every(
    (word) => said.has(word) || (isOwnWord(word) && !UNIT.test(word)),
  );
}

/** Whether nothing that the line is about is lost: the names that the file has elsewhere. */
function keepsData(line: string, meant: string, { variables, services, inputs }: AroundLine): boolean {
  if (/^skip\b/.test(line)) return true;
  const said = new Set(meant.match(/[\p{L}\p{N}_-]+/gu)?.flatMap((word) => [word, ...word.split(/[-_]/)]) ?? []);
  const isKnown = (word: string): boolean => variables.has(word) || services.has(word) || inputs.has(word);
  return (line.match(/[\p{L}\p{N}_-]+/gu) ?? []).every((word) => !isKnown(word) || said.has(word));
}

const quotesIn = (line: string): number => line.match(/"/g)?.length ?? 0;

/** Why the line is written otherwise, where the message may take it for something else. */
function reasonOf(line: string, meant: string): string | undefined {
  const bare = (words: string): string => words.replace(/["{}]/g, '');
  if (quotesIn(meant) > quotesIn(line) && bare(meant) === bare(line)) return 'Put text, addresses and dates in quotes.';
  if (quotesIn(meant) < quotesIn(line) && bare(meant) === bare(line)) return 'This value has no quotes.';
  if (/\bwith\b/.test(meant) && /[:,]|=/.test(line) && !/[:,=]/.test(meant))
    return 'After "with", a value follows its name, without a colon; "and" joins the pairs.';
  if (/\bwith\b/.test(meant) && meant.startsWith(line.split(' with ')[0] ?? line) && meant.length > line.length)
    return 'After "with", each value needs a name before it.';
  if (/[^:]$/.test(line) && meant === `${line}:`) return 'A line that opens a block ends with a colon (:).';
  return undefined;
}
