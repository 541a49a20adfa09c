// A question without its "to": `ask Finance if the amount is fine`.

const QUESTION =
  /^ask\s+(?:the\s+)?([\p{L}_][\p{L}\p{N}_-]*)(?:\s+(?:team|department|people)|\s*[,:])?\s+(?!to:?(?:\s|$))(\S.*)$/u;

/** Someone with more words than the name: `ask the Finance team to approve it`. */
const ADDRESSED =
  /^ask\s+(?:(?:the|our|my)\s+([\p{L}_][\p{L}\p{N}_-]*)(?:\s+(?:team|department|people))?|([\p{L}_][\p{L}\p{N}_-]*)\s+(?:team|department|people))\s+to\s+(\S.*)$/u;

/** Words after which it is unclear who or what is asked. */
const OTHER = /^(?:with|using|in|at|from|and|or|by|via|through|until|within|again|every|each|of|is|are)\b/;

const changes: readonly (readonly [words: RegExp, instruction: string])[] = [
  [/^(?=(?:if|whether|what|how|when|who|which|why|where)\b)/i, 'say '],
  [/^for\s+(?:the\s+|an?\s+)?approval\s+(?:of|for)\s+/, 'approve '],
  [/^for\s+(?:the\s+)?/, 'give '],
  [/^about\s+/, 'decide about '],
  [/^please\s+/, ''],
];

const LONGEST_LINE = 300;

/** The line with its "to", in words that still say the same, or a line for each of two people; `undefined` if it is another kind of line. */
export function withTo(line: string): string | undefined {
  if (line.length > LONGEST_LINE) return undefined;
  const written = line.trimEnd();
  const [, one, other, instruction] =
    /^ask\s+([\p{L}_][\p{L}\p{N}_-]*)\s+and\s+([\p{L}_][\p{L}\p{N}_-]*)\s+(to\s\S.*)$/u.exec(written) ?? [];
  if (one !== undefined) return `ask ${one} ${instruction}\n    ask ${other} ${instruction}`;
  const [, the, team, task] = ADDRESSED.exec(written) ?? [];
  if (task !== undefined) return `ask ${the ?? team} to ${task}`;
  const [, name, rest = ''] = QUESTION.exec(written) ?? [];
  if (name === undefined) return undefined;
  if (rest.startsWith('"')) return `ask ${name} to ${rest}`;
  if (rest.endsWith('?')) return /["\\]/.test(rest) ? undefined : `ask ${name} to "${rest}"`;
  if (OTHER.test(rest)) return undefined;
  const change = changes.find(([words]) => words.test(rest));
  if (change !== undefined) return `ask ${name} to ${rest.replace(change[0], change[1])}`;
  return /^\p{Ll}+\s(?!to\b)/u.test(rest) ? `ask ${name} to ${rest}` : undefined;
}
