// Parses the address of a mail server.
import { percentDecoded } from '../../../runtime/values/percent-decoded.js';

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
  if (/[\u0000-\u001f\u007f]/.test(text)) return { problem: 'contains a line break or another control character' };
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return {
      problem:
        'cannot be read: it must start with smtp:// or smtps://, with special characters of a user or password percent-encoded, such as %40 for @',
    };
  }
  if (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') return { problem: 'does not start with smtp:// or smtps://' };
  if (url.hostname === '') return { problem: 'does not name a host' };
  const wish = url.searchParams.get('tls');
  if (wish !== null && !wishes.includes(wish))
    return { problem: `has an unknown value for tls, which can be ${wishes.join(', ')}` };
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
