// One mail address as people write it → its name and its address. Strict: whatever could be read as two addresses is none.

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

const parts = /^(?:"?([^"<>@,;:\\]*?)"?\s*<([^<>]*)>|([^<>]*))$/;
const address = /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+@[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+$/;

/** `ada@example.com` or `Ada <ada@example.com>`; `undefined` for anything else, also with a line break in it. */
export function readMailAddress(text: string): MailAddress | undefined {
  if (text.length > 1_000 || /[\u0000-\u001f\u007f\u2028\u2029]/.test(text)) return undefined;
  const [, name = '', inBrackets, alone = ''] = parts.exec(text.trim()) ?? [];
  const found = (inBrackets ?? alone).trim();
  return address.test(found) ? { name: name.trim(), address: found } : undefined;
}
