// A part of a workbook goes in, the same XML comes out without character references beyond U+FFFF. Its own file because it makes up
// for one gap of the sheet library, which cuts such a number down to 16 bits: `&#x1F600;` would come out as another character.

/** A longer part is left alone: it does not fit one string of JavaScript. */
const LONGEST = 256 * 1024 * 1024;

/** Writes `&#128512;` and `&#x1F600;` as the character itself in UTF-8; the result is never longer. */
export function withoutWideReferences(xml: Buffer): Buffer {
  if (xml.length > LONGEST || !xml.includes('&#')) return xml;
  // One character for each byte, so that nothing else can change.
  const text = xml.toString('latin1');
  const changed = text.replace(/&#(?:x([0-9a-f]{5,6})|(\d{5,7}));/gi, (reference, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0xffff && code <= 0x10ffff ? Buffer.from(String.fromCodePoint(code)).toString('latin1') : reference;
  });
  return Buffer.from(changed, 'latin1');
}
