// Packs text files into a zip file (APPNOTE 4.3). Compresses in the thread pool, so that other work continues.
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { nextTurn } from '../../../runtime/run/yield-queue.js';

const deflate = promisify(deflateRaw);

/** 1 January 1980, the earliest date of the format. A fixed date makes the output reproducible. */
const noDate = 0x21;

/** File name (ASCII) → content in pieces. */
export async function zipFile(files: ReadonlyMap<string, readonly Buffer[]>): Promise<Buffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, pieces] of files) {
    const sum = await checksum(pieces);
    const content = Buffer.concat(pieces);
    const packed = await deflate(content);
    const sizes = [sum, packed.length, content.length];
    const local = header(0x04034b50, [20, 0, 8, 0, noDate], sizes, [name.length, 0]);
    directory.push(
      header(0x02014b50, [20, 20, 0, 8, 0, noDate], sizes, [name.length, 0, 0, 0, 0], [0, offset]),
      Buffer.from(name),
    );
    parts.push(local, Buffer.from(name), packed);
    offset += local.length + name.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = header(0x06054b50, [0, 0, files.size, files.size], [listed.length, offset], [0]);
  return Buffer.concat([...parts, listed, end]);
}

/** A signature, then numbers of 16, 32, 16 and 32 bits. */
function header(signature: number, ...groups: readonly (readonly number[])[]): Buffer {
  const sizes = groups.map((_, index) => (index % 2 === 0 ? 2 : 4));
  const record = Buffer.alloc(4 + groups.reduce((sum, group, index) => sum + group.length * (sizes[index] ?? 0), 0));
  record.writeUInt32LE(signature, 0);
  let at = 4;
  for (const [index, group] of groups.entries()) {
    for (const number of group) {
      record.writeUIntLE(number, at, sizes[index] ?? 2);
      at += sizes[index] ?? 2;
    }
  }
  return record;
}

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32. Gives other work a turn between pieces. */
async function checksum(pieces: readonly Buffer[]): Promise<number> {
  let value = 0xffffffff;
  for (const bytes of pieces) {
    for (let index = 0; index < bytes.length; index++) value = (table[(value ^ (bytes[index] ?? 0)) & 0xff] ?? 0) ^ (value >>> 8);
    await nextTurn();
  }
  return (value ^ 0xffffffff) >>> 0;
}
