// Resolves XML character references beyond U+FFFF. The sheet library cuts such a number down to 16 bits, so `&#x1F600;` would
// become a different character.

/** Longer parts are left alone, because they don't fit into one JavaScript string. */
const LONGEST = 256 * 1024 * 1024;

/** Replaces `&#128512;` and `&#x1F600;` with the character in UTF-8. The result is never longer. */
export function withoutWideReferences(xml: Buffer): Buffer {
  if (xml.length > LONGEST || !xml.includes('&#')) return xml;
  // One character per byte, so that nothing else can change.
  const text = xml.toString('latin1');
  const changed = text.replace(/&#(?:x([0-9a-f]{5,6})|(\d{5,7}));/gi, (reference, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0xffff && code <= 0x10ffff ? Buffer.from(String.fromCodePoint(code)).toString('latin1') : reference;
  });
  return Buffer.from(changed, 'latin1');
}
