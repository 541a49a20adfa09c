// Checks the messages of a client, and says what is wrong with one, for the author of the client.

type Kind = 'a text' | 'a number' | 'a list';

const part = {
  'range.start.line': 'a number',
  'range.start.character': 'a number',
  'range.end.line': 'a number',
  'range.end.character': 'a number',
} as const;
const file = { 'textDocument.uri': 'a text' } as const;

/** The fields of each kind of message, by their paths. */
export const wanted = {
  file,
  place: { ...file, 'position.line': 'a number', 'position.character': 'a number' },
  range: { ...file, ...part },
  opened: { ...file, 'textDocument.text': 'a text' },
  changes: { ...file, contentChanges: 'a list' },
  change: { text: 'a text' },
  part,
  name: { newName: 'a text' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Kind>>>>;

/** The mistake in a message; `undefined` if there is none. */
export function faultIn(message: unknown, fields: Readonly<Record<string, Kind>>): string | undefined {
  for (const [path, kind] of Object.entries(fields)) {
    const value = path.split('.').reduce(fieldOf, message);
    const fits = kind === 'a list' ? Array.isArray(value) : typeof value === (kind === 'a text' ? 'string' : 'number');
    if (!fits) return `"${path}" must be ${kind}.`;
  }
  return undefined;
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined; // every object is such a record
