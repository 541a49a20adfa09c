// Decodes the bytes of a file and drops a byte order mark. Bytes that are not UTF-8 are reported by line and replaced, so parsing continues.
import * as catalogue from './diagnostics/catalogue/index.js';
import type { Diagnostic } from './diagnostics/diagnostic.js';

/** Lines with foreign bytes reported one by one; a file with more was saved in another encoding. */
const MAX_REPORTED = 20;

export function decode(source: Uint8Array | string, diagnostics: Diagnostic[]): string {
  if (typeof source === 'string') return withoutMark(source);
  // A TextDecoder takes longer to create than a small file takes to scan.
  const text = withoutMark(Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString());
  if (!text.includes('\ufffd') || isUtf8(source)) return text;
  // U+FFFD stands for whatever can't be decoded. A letter would hide it; this is treated like one, but stays visible.
  let reported = 0;
  for (let at = text.indexOf('\ufffd'); at !== -1 && reported < MAX_REPORTED; reported++) {
    let end = text.indexOf('\n', at);
    if (end === -1) end = text.length;
    diagnostics.push(catalogue.notUtf8({ start: at, end: at + 1 }));
    at = text.indexOf('\ufffd', end);
  }
  return text;
}

/** The diagnostic for a file that is not text at all: parsing it would only produce noise. */
export function binaryFault(text: string): Diagnostic | undefined {
  const at = text.indexOf('\0');
  return at === -1 ? undefined : catalogue.notTextFile({ start: at, end: at + 1 });
}

/** Whether U+FFFD in its text was written there. */
function isUtf8(source: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(source);
    return true;
  } catch {
    return false;
  }
}

export const withoutMark = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);

/** Whether the bytes of a file begin with a byte order mark. */
export const hasMark = ([first, second, third]: Uint8Array): boolean => first === 0xef && second === 0xbb && third === 0xbf;
