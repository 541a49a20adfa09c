// A workflow as the fragment of an address, which browsers never send: compressed, in letters that addresses may have.

export interface Shared {
  readonly name: string;
  readonly text: string;
  readonly request?: Readonly<Record<string, unknown>>;
  /** JSON: what services answer. */
  readonly around?: string;
}

/** Characters of a text that an address may bring along, so that a small one can't fill the memory. */
const LONGEST = 2_000_000;
const MARK = '#w=';

export async function fragmentOf(shared: Shared): Promise<string> {
  const stream = new Blob([JSON.stringify(shared)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return (
    MARK +
    btoa(binary)
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/={1,2}$/, '')
  );
}

/** `undefined` if there is none; rejects if it can't be read. */
export async function sharedIn(fragment: string): Promise<Shared | undefined> {
  if (!fragment.startsWith(MARK)) return undefined;
  const binary = atob(fragment.slice(MARK.length).replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const value: unknown = JSON.parse(await inflated(bytes));
  if (typeof value !== 'object' || value === null) throw new Error('no record');
  const { name, text, request, around } = value as Record<string, unknown>; // any of these may be anything
  if (typeof name !== 'string' || typeof text !== 'string') throw new Error('no workflow');
  return {
    name: /^[\w .-]{1,80}\.wf$/.test(name) ? name : 'shared.wf',
    text,
    ...(typeof request === 'object' && request !== null ? { request: request as Record<string, unknown> } : {}),
    ...(typeof around === 'string' ? { around } : {}),
  };
}

async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
    if (text.length > LONGEST) {
      await reader.cancel();
      throw new Error('too long');
    }
  }
}
