// Sends a message to all recipients or to none: if the server refuses one recipient, no one gets it.
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { percentDecoded } from '../../../runtime/values/percent-decoded.js';
import type { Message } from './message.js';

interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

/** Internals of nodemailer's connection; the tests of refused recipients notice if they change. */
interface Internals {
  readonly _envelope: { readonly rejectedErrors: readonly Error[]; mailError?: Error } | false | undefined;
  /** Called when the server has answered for all recipients. An error that it returns fails the message. */
  _envelopeError(reply: string): Error | null;
}

/** nodemailer would send to the accepted recipients. Here, the first refusal fails the message before its text is sent. */
function toAllOrNobody(connection: SMTPConnection): void {
  const internals = connection as unknown as Internals;
  const usual = internals._envelopeError;
  internals._envelopeError = function (reply) {
    const [refused] = (this._envelope || undefined)?.rejectedErrors ?? [];
    // Cuts off a server that already expects the text, instead of sending it an empty one.
    if (refused !== undefined && this._envelope) this._envelope.mailError ??= refused;
    return usual.call(this, reply);
  };
}

/** The message to send. `messageId` has no angle brackets. */
export async function composeMessage(message: Message, messageId: string, date: number): Promise<Buffer> {
  const { from, to, cc, bcc, replyTo, subject, text, html, attachments } = message;
  const composer = new MailComposer({
    ...{ from, to: [...to], cc: [...cc], bcc: [...bcc], replyTo: [...replyTo], subject },
    ...(text === undefined ? {} : { text }),
    ...(html === undefined ? {} : { html }),
    attachments: attachments.map(({ filename, content }) => ({ filename, content })),
    messageId: `<${messageId}>`,
    date: new Date(date),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** Rejects with nodemailer's error, or when the signal aborts, after closing the connection. */
export async function deliverMail(server: MailServer, envelope: Envelope, message: Buffer, signal: AbortSignal): Promise<void> {
  const { host, port, secure, requireTLS, ignoreTLS, verifies, user, password } = server;
  const connection = new SMTPConnection({ host, port, secure, requireTLS, ignoreTLS, tls: { rejectUnauthorized: verifies } });
  toAllOrNobody(connection);
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      connection.close();
      reject(signal.reason);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    // After the step's own error, which may have closed the connection.
    const later = (error: unknown): void => void setImmediate(reject, error);
    connection.on('error', later);
    connection.on('end', () => later(Object.assign(new Error('Connection closed'), { code: 'ECONNRESET' })));
  });
  aborted.catch(() => {});
  const step = (run: (done: (error?: Error | null) => void) => void): Promise<void> =>
    Promise.race([
      new Promise<void>((resolve, reject) => run((error) => (error === undefined || error === null ? resolve() : reject(error)))),
      aborted,
    ]);
  try {
    await step((done) => connection.connect(done));
    if (user !== '') await step((done) => connection.login({ user, pass: password }, done));
    await step((done) => connection.send({ from: envelope.from, to: [...envelope.to], size: message.length }, message, done));
    connection.quit();
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

interface MailServer {
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
