// Parses one mail address. Strict: text that could be read as two addresses is refused.

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

const parts = /^(?:"?([^"<>@,;:\\]*?)"?\s*<([^<>]*)>|([^<>]*))$/;
const address = /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+@[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+$/;

/** `ada@example.com` or `Ada <ada@example.com>`; `undefined` for anything else, including text with line breaks. */
export function readMailAddress(text: string): MailAddress | undefined {
  if (text.length > 1_000 || /[\u0000-\u001f\u007f\u2028\u2029]/.test(text)) return undefined;
  const [, name = '', inBrackets, alone = ''] = parts.exec(text.trim()) ?? [];
  const found = (inBrackets ?? alone).trim();
  return address.test(found) ? { name: name.trim(), address: found } : undefined;
}
