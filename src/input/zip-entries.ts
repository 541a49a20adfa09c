// Lists the entries in the central directory of a zip file. Nothing is inflated here, so a file that would grow too large is
// rejected before it does.

export interface ZipEntry {
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
