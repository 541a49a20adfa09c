// Tries each fix that a message shows: written into the file, it must leave one mistake fewer, and the line must still mean the same kind of
// thing. Other fixes are not shown. A mistake without a fix gets one if its line, in the words of the language, works.
import type { InTurns } from '../in-turns.js';
import type { Diagnostic, Span } from './diagnostic.js';
import { readHint, writeInstead } from './hint-marks.js';

/** Characters that are checked again for the fixes of a file. A long file has none: checking it twice would take too long. */
const MOST_CHECKED = 300_000;
/** Even a short file takes as long as this many characters. */
const LEAST_CHECKED = 4_000;
/** Mistakes of one file that are reworded. */
const MOST_REWORDED = 20;
/** Rewordings of a line that are tried once more with a name corrected. */
const MOST_CORRECTED = 8;

/** Warnings about conditions in other words: a fixed value as a condition, values of different kinds, values that "and" joins; about unknown settings, and about values among the words of a call. */
const WARNS_OF_OTHER_WORDS = /^WF1(?:11|14|16|22|38)$/;
/** A word in capital letters is wrong, whatever else is wrong with its line. */
const WRONG_CASE = 'WF042';
/** Codes of lines in other words. Elsewhere, a line in a hint is an example. */
const IN_OTHER_WORDS = /^WF0(?:40|41|50)$/;

interface Candidate extends TextEdit {
  readonly diagnostic: Diagnostic;
}

/** The number of mistakes in a text. */
export interface Mistakes {
  readonly errors: number;
  readonly warnings: number;
  /** The errors of a line. It is known by its text, because a fix may move it. */
  readonly errorsOn: (line: string) => readonly Diagnostic[];
}

/** A line as it may be meant, without its indentation. */
export interface Rewording {
  readonly line: string;
  /** The reason for it, if the message may give another. */
  readonly reason: string | undefined;
  /** Only shown if it causes no warning either. */
  readonly isGuess: boolean;
}

/** The parts of the compiler that `withWorkingFixes` uses. */
interface Language {
  /** The mistakes of the text itself. */
  readonly before: Mistakes;
  /** Checks another text. */
  readonly count: (text: string) => Mistakes;
  /** The lines that may be meant by the one with this mistake; the likeliest first. */
  readonly reword: (text: string, diagnostic: Diagnostic) => readonly Rewording[];
  /** Whether an example has no names and numbers but those of the line. */
  readonly isAbout: (example: string, line: string) => boolean;
  /** The kind of statement that a line is, or is meant to be; `undefined` if it could be any. */
  readonly kindOf: (line: string) => string | undefined;
  /** Whether there is time to try fixes; otherwise messages have none. */
  readonly offersFixes: boolean;
}

/** The replacement, if a message has one suggestion: another case, or "Did you mean". Its span is in `text`. */
export function suggestedEdit({ code, span, suggestion: shown }: Diagnostic, text: string): TextEdit | undefined {
  const before = text.slice(span.start, span.end);
  const suggestion = shown ?? (code === WRONG_CASE ? before.toLowerCase() : undefined);
  if (suggestion === undefined) return undefined;
  const isQuoted = before.length > 1 && before.startsWith('"') && before.endsWith('"') && !suggestion.startsWith('"');
  const newText = isQuoted ? `"${suggestion}"` : suggestion;
  return before === '' || before.includes('\n') || newText === before ? undefined : { span, newText };
}

/**
 * The diagnostics, with the fixes that work.
 * The work is bounded by the length of the text, not by the number of fixes.
 */
export function* withWorkingFixes(
  text: string,
  diagnostics: readonly Diagnostic[],
  language: Language,
): InTurns<readonly Diagnostic[]> {
  if (diagnostics.length === 0) return diagnostics;
  const trial = new Trial(text, language);
  const shown = diagnostics.flatMap((diagnostic) => {
    const edit = fixOf(diagnostic, text, language);
    return edit === undefined ? [] : [{ ...edit, diagnostic }];
  });
  const working = yield* trial.working(shown);
  const failed = new Set(shown.map(({ diagnostic }) => diagnostic).filter((diagnostic) => !working.has(diagnostic)));
  const reworded = yield* rewordedLines(
    text,
    diagnostics.filter((diagnostic) => !working.has(diagnostic)),
    trial,
    // An example that doesn't work says nothing about the line.
    (diagnostic) => language.reword(text, failed.has(diagnostic) ? withoutFix(diagnostic) : diagnostic),
  );
  const isUnknown = diagnostics.some((one) => one.code === 'WF020' && !reworded.has(one));
  const meantLines = isUnknown ? [...reworded].map(([diagnostic, { line }]) => lineEdit(text, diagnostic, line)) : [];
  const isOver = trial.mended(meantLines);
  return diagnostics.flatMap((diagnostic) => {
    const meant = reworded.get(diagnostic);
    if (meant !== undefined) return withLine(withoutFix(diagnostic), meant);
    if (isOver(diagnostic)) return [];
    return failed.has(diagnostic) && diagnostic.code !== WRONG_CASE ? withoutFix(diagnostic) : diagnostic;
  });
}

/** Writes a line in place of the one with the mistake. */
function lineEdit(text: string, diagnostic: Diagnostic, line: string): Candidate {
  const span = lineAt(text, diagnostic.span.start);
  return { diagnostic, span, newText: withBlockBelow(text, span, line) };
}

/** The lines that work in place of those with a mistake. */
function* rewordedLines(
  text: string,
  diagnostics: readonly Diagnostic[],
  trial: Trial,
  reword: (diagnostic: Diagnostic) => readonly Rewording[],
): InTurns<Map<Diagnostic, Rewording>> {
  const found = new Map<Diagnostic, Rewording>();
  const lines = new Set<number>();
  const ways = diagnostics.flatMap((diagnostic) => {
    const { start, end } = lineAt(text, diagnostic.span.start);
    // The first mistake of a line speaks for the others.
    if (!trial.hasRoom || lines.size >= MOST_REWORDED || lines.has(start)) return [];
    const { severity, code, suggestion } = diagnostic;
    if (severity === 'warning' && (suggestion !== undefined || !WARNS_OF_OTHER_WORDS.test(code))) return [];
    lines.add(start);
    return [{ diagnostic, span: { start, end }, meant: reword(diagnostic) }];
  });
  // A line with several mistakes may have a rewording that mends them all, and others that mend one.
  for (const mendsAll of [true, false])
    for (let way = 0; ways.some(({ meant }) => meant.length > way); way++) {
      const open = ways.flatMap(({ diagnostic, span, meant }) => {
        const isOpen = !found.has(diagnostic) && (mendsAll || trial.hasMore(text.slice(span.start, span.end).trim()));
        const one = isOpen ? meant[way] : undefined;
        return one === undefined ? [] : [{ ...lineEdit(text, diagnostic, one.line), isGuess: one.isGuess }];
      });
      for (const isGuess of [true, false]) {
        const group = open.filter((one) => one.isGuess === isGuess);
        for (const diagnostic of yield* trial.working(group, { isGuess, mendsAll })) {
          const line = ways.find((one) => one.diagnostic === diagnostic)?.meant[way];
          if (line !== undefined) found.set(diagnostic, line);
        }
      }
    }
  for (const { diagnostic, meant } of ways)
    for (const one of found.has(diagnostic) ? [] : meant.filter(({ isGuess }) => !isGuess).slice(0, MOST_CORRECTED)) {
      yield;
      const line = trial.corrected(lineEdit(text, diagnostic, one.line));
      if (line === undefined) continue;
      found.set(diagnostic, { ...one, line });
      break;
    }
  return found;
}

interface Demands {
  /** It must not cause warnings. */
  readonly isGuess?: boolean;
  /** The line must have no error left. */
  readonly mendsAll?: boolean;
}

/** Compiles texts with fixes, as long as there is room. */
class Trial {
  readonly #text: string;
  readonly #language: Language;
  readonly #cost: number;
  #left: number;

  constructor(text: string, language: Language) {
    this.#text = text;
    this.#language = language;
    this.#cost = Math.max(text.length, LEAST_CHECKED);
    this.#left = language.offersFixes ? MOST_CHECKED : 0;
  }

  /** Whether the line has more than one error. */
  hasMore(line: string): boolean {
    return this.#language.before.errorsOn(line).length > 1;
  }

  get hasRoom(): boolean {
    return this.#left >= this.#cost;
  }

  /** Keeps the fixes whose mistake is gone. Most fixes work, so they are tried together first, then in halves. */
  *working(candidates: readonly Candidate[], demands: Demands = {}): InTurns<ReadonlySet<Diagnostic>> {
    const groups = [candidates.filter((candidate) => isSameKind(this.#text, candidate, this.#language))];
    const working = new Set<Diagnostic>();
    for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
      const edits = inOrder(group);
      if (edits.length === group.length && edits.length > 0) {
        yield;
        if (this.#helps(edits, demands)) {
          for (const { diagnostic } of edits) working.add(diagnostic);
          continue;
        }
      }
      const middle = group.length >>> 1;
      if (group.length > 1) groups.push(group.slice(middle), group.slice(0, middle));
    }
    return working;
  }

  /** The line in other words, with the name corrected that only then is seen to be unknown: two mistakes in one line. */
  corrected(candidate: Candidate): string | undefined {
    if (!this.hasRoom || candidate.diagnostic.severity === 'warning') return undefined;
    this.#left -= this.#cost;
    const { span, newText } = candidate;
    const text = applyEdits(this.#text, [candidate]);
    const errors = this.#language.count(text).errorsOn(newText.split('\n', 1)[0] ?? '');
    const edits = errors.flatMap((error) => suggestedEdit(error, text) ?? []);
    if (edits.length === 0) return undefined;
    const meant = applyEdits(text, edits);
    const line = meant.slice(span.start, span.start + newText.length + meant.length - text.length);
    const edit = { ...candidate, newText: line };
    const works = isSameKind(this.#text, edit, this.#language) && this.#helps([edit], { isGuess: true, mendsAll: true });
    return works ? line.split('\n', 1)[0] : undefined;
  }

  /** Whether an unknown name is known once these lines are as they are meant: one of them would have set it. */
  mended(edits: readonly Candidate[]): (diagnostic: Diagnostic) => boolean {
    if (edits.length === 0 || !this.hasRoom) return () => false;
    this.#left -= this.#cost;
    const { errorsOn } = this.#language.count(applyEdits(this.#text, inOrder(edits)));
    return ({ code, span }) => {
      const { start, end } = lineAt(this.#text, span.start);
      return code === 'WF020' && errorsOn(this.#text.slice(start, end)).length === 0;
    };
  }

  /** An error must be gone; a warning must be gone without a new error. */
  #helps(edits: readonly Candidate[], { isGuess = false, mendsAll = false }: Demands): boolean {
    if (!this.hasRoom) return false;
    this.#left -= this.#cost;
    const { before } = this.#language;
    const text = applyEdits(this.#text, edits);
    const after = this.#language.count(text);
    const errors = edits.filter(({ diagnostic }) => diagnostic.severity === 'error').length;
    return (
      after.errors <= before.errors - errors &&
      this.#clearsLines(edits, text, after, mendsAll) &&
      (!isGuess || after.warnings <= before.warnings) &&
      (errors === edits.length || after.warnings <= before.warnings - (edits.length - errors))
    );
  }

  /** Whether lines with an error have fewer, or none: a line that can't be read at all may hide those of others. */
  #clearsLines(edits: readonly Candidate[], text: string, after: Mistakes, mendsAll: boolean): boolean {
    let shift = 0;
    return edits.every(({ diagnostic, span, newText }) => {
      const start = span.start + shift;
      shift += newText.length - (span.end - span.start);
      if (diagnostic.severity !== 'error') return true;
      const count = (lines: readonly string[], { errorsOn }: Mistakes): number =>
        lines.reduce((sum, line) => sum + errorsOn(line).length, 0);
      const { before } = this.#language;
      const [old, lines] = [linesAround(this.#text, span.start, span.end), linesAround(text, start, start + newText.length)];
      // Other lines of the file may have had the new text all along.
      const elsewhere = lines.filter((line) => !old.includes(line));
      const left = count(lines, after) - count(elsewhere, before);
      return mendsAll ? left <= 0 : left < count(old, before);
    });
  }
}

/** The text without its indentation, of the lines that a part of it touches. */
const linesAround = (text: string, start: number, end: number): string[] => {
  const next = text.indexOf('\n', end);
  return text
    .slice(text.lastIndexOf('\n', start - 1) + 1, next === -1 ? text.length : next)
    .split('\n')
    .map((line) => line.trim());
};

/** Whether the lines before and after a fix are the same kind of statement. */
function isSameKind(text: string, { span, newText }: TextEdit, { kindOf }: Language): boolean {
  const { start, end } = lineAt(text, span.start);
  if (span.end > end) return true;
  const before = kindOf(text.slice(start, end));
  const after = (text.slice(start, span.start) + newText + text.slice(span.end, end)).split('\n');
  const time = /\bat (\d{1,2})(?![\d./])/.exec(text.slice(span.start, span.end))?.[1];
  return (
    (before === undefined || after.some((line) => before === kindOf(line))) && (time === undefined || newText.includes(time))
  );
}

/** The line at an offset, without its indentation. */
function lineAt(text: string, offset: number): Diagnostic['span'] {
  const from = text.lastIndexOf('\n', offset - 1) + 1;
  const next = text.indexOf('\n', from);
  const indent = /^[ \t]{0,400}/.exec(text.slice(from, from + 400))?.[0].length ?? 0;
  const end = next === -1 ? text.length : next;
  return { start: Math.min(from + indent, end), end };
}

/** The edit that a message shows, if it is about this line: an example of another line is none. */
function fixOf(diagnostic: Diagnostic, text: string, { isAbout }: Language): TextEdit | undefined {
  const { severity, span, suggestion, fix, code } = diagnostic;
  if (suggestion !== undefined) return severity === 'warning' ? undefined : suggestedEdit(diagnostic, text);
  if (fix?.as === 'above') return rewordedEdit(diagnostic, text);
  const line = lineAt(text, span.start);
  if (fix === undefined || span.end > line.end) return undefined;
  const written = text.slice(line.start, line.end);
  if (fix.as === 'lines') {
    const lines = fix.text.split('\n');
    const isWhole = [lines[0], lines.at(-1)].some((one = '') => firstWord(one) === firstWord(written));
    const place = isWhole ? line : span;
    const newText = fix.text.replaceAll('\n', `\n${indentAt(text, line.start)}`);
    return { span: place, newText: place.end === line.end ? withBlockBelow(text, place, newText) : newText };
  }
  if (severity === 'warning' || !isAbout(fix.text, written)) return undefined;
  if (fix.as === 'words') return { span, newText: fix.text };
  // An example of the same words may lack some of them.
  return IN_OTHER_WORDS.test(code) && isAbout(written, fix.text) ? { span: line, newText: fix.text } : undefined;
}

/** The line that is meant, if a message ends with it. */
export function rewordedEdit({ span, fix }: Diagnostic, text: string): TextEdit | undefined {
  if (fix?.as === 'line') return { span: lineAt(text, span.start), newText: fix.text };
  if (fix?.as !== 'above') return undefined;
  const above = lineAt(text, text.lastIndexOf('\n', span.start) - 1);
  return { span: { start: above.start, end: span.end }, newText: fix.text };
}

const firstWord = (line: string): string | undefined => /^\S{1,50}/.exec(line)?.[0];

const indentAt = (text: string, start: number): string => text.slice(text.lastIndexOf('\n', start - 1) + 1, start);

/** A line that only now opens a block gets one, as its author is about to write it. */
function withBlockBelow(text: string, { start, end }: Diagnostic['span'], newText: string): string {
  const indent = indentAt(text, start);
  const below = text.slice(end, end + indent.length + 5);
  return newText.endsWith(':') && !below.startsWith(`\n${indent}    `) ? `${newText}\n${indent}    log "…"` : newText;
}

/** The rest of the message stays. */
function withoutFix({ suggestion, ...diagnostic }: Diagnostic): Diagnostic {
  const { hint = '', fix, ...rest } = diagnostic;
  if (suggestion !== undefined || fix === undefined || fix.as === 'words') return diagnostic;
  const others = hint.replace(fix.shown, '').trim();
  return others === '' ? rest : { ...rest, hint: others };
}

/** The message with the line to write; in place of examples, which are about other lines. */
function withLine(diagnostic: Diagnostic, { line, reason }: Rewording): Diagnostic {
  const { hint = '', saysWhy = false } = diagnostic;
  const said = (saysWhy ? hint : (reason ?? hint))
    .split('\n')
    .filter((one) => !one.startsWith('    '))
    .map((one) => (saysWhy && !one.includes('. ') ? one.replace(/:$/, '.') : one.replace(/(?:^|(?<=\. ))[^.]*:$/, '').trim()))
    .filter((one) => one !== '');
  return { ...diagnostic, ...readHint([...said, writeInstead(line)].join('\n')) };
}

export interface TextEdit {
  readonly span: Span;
  readonly newText: string;
}

/** The text after changes that don't overlap, in any order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const { span, newText } of inOrder(edits)) {
    result += text.slice(at, span.start) + newText;
    at = span.end;
  }
  return result + text.slice(at);
}

/** By position, without those that overlap one before them. */
export function inOrder<Edit extends TextEdit>(edits: readonly Edit[]): Edit[] {
  let end = -1;
  return [...edits]
    .sort((one, other) => one.span.start - other.span.start || one.span.end - other.span.end)
    .filter(({ span }) => {
      const isFree = span.start >= end;
      if (isFree) end = Math.max(span.end, span.start + 1);
      return isFree;
    });
}
