// Parses the address of a mail server.
import { percentDecoded } from '../../../runtime/percent-decoded.js';

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** Encrypts from the start (`smtps://`). Otherwise, uses STARTTLS if the server offers it. */
  readonly secure: boolean;
  /** Refuses to send anything unencrypted. */
  readonly requireTLS: boolean;
  readonly ignoreTLS: boolean;
  readonly verifies: boolean;
  readonly user: string;
  readonly password: string;
}

/** The `tls` option of the address, as in `smtp://host?tls=always`. */
const wishes = ['always', 'never', 'unverified'];

/** Passwords are only sent encrypted, unless the address says `tls=never`. */
export function readMailServer(text: string): MailServer | { readonly problem: string } {
  if (/[\u0000-\u001f\u007f]/.test(text)) return { problem: 'has a line break or another control character in it' };
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return {
      problem:
        'cannot be read: it starts with smtp:// or smtps://, and special characters of a password stand in it as %40 and the like',
    };
  }
  if (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') return { problem: 'does not start with smtp:// or smtps://' };
  if (url.hostname === '') return { problem: 'names no host' };
  const wish = url.searchParams.get('tls');
  if (wish !== null && !wishes.includes(wish))
    return { problem: `asks for encryption (tls) in another way than ${wishes.join(', ')}` };
  const secure = url.protocol === 'smtps:';
  const host = percentDecoded(url.hostname).replace(/^\[(.*)\]$/, '$1');
  const password = percentDecoded(url.password);
  const isHere = host === 'localhost' || host === '::1' || host.startsWith('127.');
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && wish !== 'never' && (wish === 'always' || (password !== '' && !isHere)),
    ignoreTLS: wish === 'never',
    verifies: wish !== 'unverified',
    user: percentDecoded(url.username),
    password,
  };
}
