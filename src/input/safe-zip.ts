// Repacks an untrusted zip file: nothing is compressed any more, and all sizes are correct. Checksums are left out, because the
// library doesn't read them. Sheet libraries trust the sizes in a zip and inflate without limit, so this must come first. The limits of the
// reading process alone let a workbook of a few kilobytes take ten seconds before it is refused (test/input/hostile-workbook.test.ts).
import { inflateRawSync } from 'node:zlib';

type SafeZip =
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

/**
 * Lists the entries in the central directory of a zip file. Nothing is inflated here, so a file that would grow too large is
 * rejected before it does.
 */
interface ZipEntry {
  /** Name as stored. Not decoded, because nothing here needs to read it. */
  readonly name: Buffer;
  readonly method: number;
  readonly encrypted: boolean;
  /** The compressed bytes. */
  readonly data: Buffer;
  /** Size after inflating, in bytes, according to the directory. */
  readonly size: number;
}

const END = 0x06054b50;
const END_64_LOCATOR = 0x07064b50;
const END_64 = 0x06064b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const NOT_HERE_16 = 0xffff;
const NOT_HERE_32 = 0xffffffff;

/**
 * The entries of the central directory (APPNOTE 4.3.12, 4.5.3 for ZIP64), or `undefined` if the file is damaged or not a zip.
 * The local headers only provide their own length: their sizes may be missing, or wrong on purpose.
 */
export function zipEntries(bytes: Buffer): ZipEntry[] | undefined {
  try {
    return entriesOf(bytes);
  } catch (error) {
    // The file is cut off, or an offset points nowhere.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function entriesOf(bytes: Buffer): ZipEntry[] | undefined {
  const directory = findDirectory(bytes);
  if (directory === undefined) return undefined;
  const entries: ZipEntry[] = [];
  let at = directory.offset;
  for (let index = 0; index < directory.count; index++) {
    if (bytes.readUInt32LE(at) !== CENTRAL) return undefined;
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
    const extraEnd = nameEnd + bytes.readUInt16LE(at + 30);
    const { size, compressed, offset } = sizes(bytes, at, nameEnd, extraEnd);
    if (bytes.readUInt32LE(offset) !== LOCAL) return undefined;
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    if (start + compressed > bytes.length || extraEnd > bytes.length) return undefined;
    entries.push({
      name: bytes.subarray(at + 46, nameEnd),
      method: bytes.readUInt16LE(at + 10),
      encrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      data: bytes.subarray(start, start + compressed),
      size,
    });
    at = extraEnd + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

/** The end record is last, followed by a comment of at most 65,535 bytes. */
function findDirectory(bytes: Buffer): { offset: number; count: number } | undefined {
  const signature = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
  const end = bytes.lastIndexOf(signature);
  if (end < 0 || end < bytes.length - 22 - 0xffff || bytes.readUInt32LE(end) !== END) return undefined;
  const count = bytes.readUInt16LE(end + 10);
  const offset = bytes.readUInt32LE(end + 16);
  if (count !== NOT_HERE_16 && offset !== NOT_HERE_32) return { offset, count };
  if (end < 20 || bytes.readUInt32LE(end - 20) !== END_64_LOCATOR) return { offset, count };
  const end64 = wide(bytes, end - 20 + 8);
  if (bytes.readUInt32LE(end64) !== END_64) return undefined;
  return { offset: wide(bytes, end64 + 48), count: wide(bytes, end64 + 32) };
}

/** Sizes and offset of an entry. Those that don't fit into 32 bits are in the ZIP64 extra field, in this order. */
function sizes(
  bytes: Buffer,
  at: number,
  nameEnd: number,
  extraEnd: number,
): { size: number; compressed: number; offset: number } {
  const found = [bytes.readUInt32LE(at + 24), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)];
  for (let extra = nameEnd; extra + 4 <= extraEnd; extra += 4 + bytes.readUInt16LE(extra + 2)) {
    if (bytes.readUInt16LE(extra) !== 1) continue;
    let field = extra + 4;
    for (const [index, value] of found.entries()) {
      if (value !== NOT_HERE_32) continue;
      found[index] = wide(bytes, field);
      field += 8;
    }
  }
  const [size = 0, compressed = 0, offset = 0] = found;
  return { size, compressed, offset };
}

function wide(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at));
}
