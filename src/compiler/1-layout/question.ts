// A question without its "to": `ask Finance if the amount is fine`.

const QUESTION =
  /^ask\s+(?:the\s+)?([\p{L}_][\p{L}\p{N}_-]*)(?:\s+(?:team|department|people)(?:\s+to(?=\s))?|\s*[,:])?\s+(?!to:?(?:\s|$))(\S.*)$/u;

/** Words after which it is unclear who or what is asked. */
const OTHER = /^(?:with|using|in|at|from|and|or|by|via|through|until|within|again|every|each|of|is|are)\b/;

const changes: readonly (readonly [words: RegExp, instruction: string])[] = [
  [/^(?=(?:if|whether|what|how|when|who|which|why|where)\b)/i, 'say '],
  [/^for\s+(?:the\s+|an?\s+)?approval\s+(?:of|for)\s+/, 'approve '],
  [/^for\s+(?:the\s+)?/, 'give '],
  [/^about\s+/, 'decide about '],
  [/^please\s+/, ''],
];

/** The line with its "to", in words that still say the same, or a line for each of two people; `undefined` if it is another kind of line. */
export function withTo(written: string): string | undefined {
  const [, one, other, instruction] =
    /^ask\s+([\p{L}_][\p{L}\p{N}_-]*)\s+and\s+([\p{L}_][\p{L}\p{N}_-]*)\s+(to\s\S.*)$/u.exec(written.slice(0, 300).trimEnd()) ??
    [];
  if (one !== undefined) return `ask ${one} ${instruction}\n    ask ${other} ${instruction}`;
  const [, name, rest = ''] = QUESTION.exec(written.slice(0, 300).trimEnd()) ?? [];
  if (name === undefined || written.length > 300) return undefined;
  if (rest.startsWith('"')) return `ask ${name} to ${rest}`;
  if (rest.endsWith('?')) return /["\\]/.test(rest) ? undefined : `ask ${name} to "${rest}"`;
  if (OTHER.test(rest)) return undefined;
  const change = changes.find(([words]) => words.test(rest));
  if (change !== undefined) return `ask ${name} to ${rest.replace(change[0], change[1])}`;
  return /^\p{Ll}+\s(?!to\b)/u.test(rest) ? `ask ${name} to ${rest}` : undefined;
}
