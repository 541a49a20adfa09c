// Writes rows as a workbook with one sheet (ECMA-376). Not with the sheet library, which would block for seconds.
import type { RowsTable } from './rows-table.js';
import { sheetXml } from './sheet-xml.js';
import { zipFile } from './zip-file.js';

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const types = 'http://schemas.openxmlformats.org/package/2006/content-types';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const parts: readonly (readonly [name: string, xml: string])[] = [
  [
    '[Content_Types].xml',
    `<Types xmlns="${types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${kind}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${kind}.worksheet+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  ],
];

/** The bytes of an `.xlsx` file, or a sentence if a cell can't be written. */
export async function workbook(rows: RowsTable): Promise<Buffer | string> {
  const sheet = await sheetXml(rows);
  if (typeof sheet === 'string') return sheet;
  const files = new Map<string, readonly Buffer[]>(parts.map(([name, xml]) => [name, [Buffer.from(declaration + xml)]]));
  files.set('xl/worksheets/sheet1.xml', sheet);
  return zipFile(files);
}
