// Handmade zip files and workbooks, so that a test can falsify any of their fields.
import { deflateRawSync } from 'node:zlib';

export interface RawEntry {
  readonly name: string;
  readonly content: string | Buffer;
  readonly stored?: boolean;
  /** Value in the central directory instead of the true size. */
  readonly claimedSize?: number;
  /** Value in the local header instead of the true size. */
  readonly localSize?: number;
  readonly encrypted?: boolean;
  /** Puts sizes in the ZIP64 extra field instead of their usual place. */
  readonly zip64?: boolean;
}

export function rawZip(entries: readonly RawEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    // Not copied: zero pages that are only read take no memory.
    const content = typeof entry.content === 'string' ? Buffer.from(entry.content) : entry.content;
    const data = entry.stored ? content : deflateRawSync(content);
    const name = Buffer.from(entry.name);
    const size = entry.claimedSize ?? content.length;
    const extra = entry.zip64 ? Buffer.alloc(20) : Buffer.alloc(0);
    if (entry.zip64) {
      extra.writeUInt16LE(1, 0);
      extra.writeUInt16LE(16, 2);
      extra.writeBigUInt64LE(BigInt(size), 4);
      extra.writeBigUInt64LE(BigInt(data.length), 12);
    }
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(entry.stored ? 0 : 8, 8);
    local.writeUInt32LE(data.length, 18);
    local.writeUInt32LE(entry.localSize ?? size, 22);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(entry.encrypted ? 1 : 0, 8);
    central.writeUInt16LE(entry.stored ? 0 : 8, 10);
    central.writeUInt32LE(entry.zip64 ? 0xffffffff : data.length, 20);
    central.writeUInt32LE(entry.zip64 ? 0xffffffff : size, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt16LE(extra.length, 30);
    central.writeUInt32LE(offset, 42);
    parts.push(local, name, data);
    directory.push(central, name, extra);
    offset += local.length + name.length + data.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The parts of a workbook with a single sheet `S`, made of these rows of XML. `xfs` are cell formats, e.g. `<xf numFmtId="31"/>`. */
export function rawWorkbook(rows: string, xfs = '<xf numFmtId="0"/>', comments?: string): RawEntry[] {
  const parts: RawEntry[] = [
    {
      name: '[Content_Types].xml',
      content: `<?xml version="1.0"?><Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/><Override PartName="/xl/comments1.xml" ContentType="${TYPE}.comments+xml"/></Types>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `<?xml version="1.0"?><workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<?xml version="1.0"?><Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    },
    {
      name: 'xl/styles.xml',
      content: `<?xml version="1.0"?><styleSheet xmlns="${MAIN}"><cellXfs>${xfs}</cellXfs></styleSheet>`,
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `<?xml version="1.0"?><worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
    },
  ];
  if (comments !== undefined) {
    parts.push(
      {
        name: 'xl/worksheets/_rels/sheet1.xml.rels',
        content: `<?xml version="1.0"?><Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/comments" Target="../comments1.xml"/></Relationships>`,
      },
      {
        name: 'xl/comments1.xml',
        content: `<?xml version="1.0"?><comments xmlns="${MAIN}"><authors><author>a</author></authors><commentList>${comments}</commentList></comments>`,
      },
    );
  }
  return parts;
}
