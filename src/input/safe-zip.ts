// Repacks an untrusted zip file: nothing is compressed any more, and all sizes are correct. Checksums are left out, because the
// library doesn't read them. Sheet libraries trust the sizes in a zip and inflate without limit, so this must come first. The limits of the
// reading process alone let a workbook of a few kilobytes take ten seconds before it is refused (test/input/hostile-workbook.test.ts).
import { inflateRawSync } from 'node:zlib';
import { type ZipEntry, zipEntries } from './zip-entries.js';

export type SafeZip =
  | { readonly ok: true; readonly bytes: Buffer; readonly names: string[] }
  | { readonly ok: false; readonly message: string };

/** Beyond the free size, a zip may grow by this factor. Spreadsheets reach a tenth of it. */
const MOST_GROWTH = 300;
const FREE_SIZE = 32 * 1024 * 1024;

const STORED = 0;
const DEFLATED = 8;
const LOCAL_HEADER = 30;
const CENTRAL_HEADER = 46;
const END_RECORD = 22;

/**
 * Rejects a zip whose entries would take more than `limit` bytes before inflating anything, and an entry that is larger than
 * its directory says while inflating it. Never uses more memory than the sum of the sizes plus the largest one.
 */
export function safeZip(bytes: Buffer, limit: number): SafeZip {
  const entries = zipEntries(bytes);
  if (entries === undefined || entries.length > 0xffff) return { ok: false, message: 'the file is damaged or incomplete' };
  let content = 0;
  let names = 0;
  for (const entry of entries) {
    if (entry.encrypted) return { ok: false, message: 'it is password-protected' };
    content += entry.size;
    names += entry.name.length;
  }
  if (content > limit) {
    return {
      ok: false,
      message: `it would grow to ${Math.ceil(content / 1024 ** 2)} MB when unpacked, and the limit is ${limit / 1024 ** 2} MB`,
    };
  }
  if (content > FREE_SIZE && content > bytes.length * MOST_GROWTH) {
    return { ok: false, message: 'it would grow several hundred times when unpacked, which no real workbook does' };
  }
  const result = Buffer.allocUnsafe(content + 2 * names + entries.length * (LOCAL_HEADER + CENTRAL_HEADER) + END_RECORD);
  const directory: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const inflated = inflate(entry);
    if (inflated === undefined) return { ok: false, message: 'the file is damaged' };
    const content = /\.(xml|rels)$/i.test(entry.name.toString()) ? withoutWideReferences(inflated) : inflated;
    directory.push(centralHeader(entry, content.length, at));
    at += localHeader(entry, content.length).copy(result, at);
    at += content.copy(result, at);
  }
  const start = at;
  for (const header of directory) at += header.copy(result, at);
  at += endRecord(entries.length, start, at - start).copy(result, at);
  return { ok: true, bytes: result.subarray(0, at), names: entries.map((entry) => entry.name.toString()) };
}

function inflate(entry: ZipEntry): Buffer | undefined {
  if (entry.method === STORED) return entry.data.length === entry.size ? entry.data : undefined;
  if (entry.method !== DEFLATED) return undefined;
  try {
    const inflated = inflateRawSync(entry.data, { maxOutputLength: Math.max(1, entry.size) });
    return inflated.length === entry.size ? inflated : undefined;
  } catch {
    // Broken data, or more of it than announced: zlib stops at the limit.
    return undefined;
  }
}

function localHeader(entry: ZipEntry, size: number): Buffer {
  const header = Buffer.alloc(LOCAL_HEADER);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt32LE(size, 18);
  header.writeUInt32LE(size, 22);
  header.writeUInt16LE(entry.name.length, 26);
  return Buffer.concat([header, entry.name]);
}

function centralHeader(entry: ZipEntry, size: number, offset: number): Buffer {
  const header = Buffer.alloc(CENTRAL_HEADER);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(20, 6);
  header.writeUInt32LE(size, 20);
  header.writeUInt32LE(size, 24);
  header.writeUInt16LE(entry.name.length, 28);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, entry.name]);
}

function endRecord(count: number, offset: number, size: number): Buffer {
  const record = Buffer.alloc(END_RECORD);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(count, 10);
  record.writeUInt32LE(size, 12);
  record.writeUInt32LE(offset, 16);
  return record;
}

/** Longer parts are left alone, because they don't fit into one JavaScript string. */
const LONGEST_XML = 256 * 1024 * 1024;

/**
 * The sheet library cuts the number of a character beyond U+FFFF down to 16 bits, so `&#x1F600;` would become a different one. Replaces
 * `&#128512;` and `&#x1F600;` with the character in UTF-8. The result is never longer.
 */
function withoutWideReferences(xml: Buffer): Buffer {
  if (xml.length > LONGEST_XML || !xml.includes('&#')) return xml;
  // One character per byte, so that nothing else can change.
  const text = xml.toString('latin1');
  const changed = text.replace(/&#(?:x([0-9a-f]{5,6})|(\d{5,7}));/gi, (reference, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0xffff && code <= 0x10ffff ? Buffer.from(String.fromCodePoint(code)).toString('latin1') : reference;
  });
  return Buffer.from(changed, 'latin1');
}
