// Parses one mail address. Strict: text that could be read as two addresses is refused.

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

const inQuotes = /^"([^"<>@\\]*)"\s*<([^<>]*)>$/;
const plain = /^(?:([^"<>@,;:\\]*)<([^<>]*)>|([^<>]*))$/;
const address = /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+@[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+$/;

/**
 * `ada@example.com`, `Ada <ada@example.com>` or `"Lovelace, Ada" <ada@example.com>`; `undefined` for anything else, including text with
 * line breaks.
 */
export function readMailAddress(text: string): MailAddress | undefined {
  if (text.length > 1_000 || /[\u0000-\u001f\u007f\u2028\u2029]/.test(text)) return undefined;
  const whole = text.trim();
  const [, name = '', inBrackets, alone = ''] = inQuotes.exec(whole) ?? plain.exec(whole) ?? [];
  const found = (inBrackets ?? alone).trim();
  return address.test(found) ? { name: name.trim(), address: found } : undefined;
}
