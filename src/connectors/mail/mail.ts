// Performs tasks for mail servers: builds a message from the pairs of a call and sends it over a new connection. Only known properties are
// copied, so that a record from a request can't name a file or an address to fetch.
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Cancellation } from '../../../runtime/run/cancellation.js';
import type { AttemptResult } from '../../../runtime/services/attempt.js';
import { type Failure, noConnection, unusableAddress } from '../../../runtime/services/call-errors.js';
import { causeOf } from '../../../runtime/services/cause.js';
import { badMessage, mailRefused } from '../../../runtime/services/connector-errors.js';
import type { MailTask } from '../../../runtime/services/connector-types.js';
import type { Value } from '../../../runtime/types.js';
import { percentDecoded } from '../../../runtime/values/percent-decoded.js';
import { show } from '../../../runtime/values/values.js';
import { tableFile } from '../tables/table-file.js';

/** Maximum bytes of a message with its attachments. Most servers accept less. */
const mostBytes = 50 * 1024 * 1024;

export async function performMail(task: MailTask, cancellation: Cancellation): Promise<AttemptResult> {
  const server = readMailServer(task.address);
  if ('problem' in server) return unusableAddress([], server.problem);
  const message = await readMessage(task);
  if (!message.ok) return message;
  const { from, to, cc, bcc } = message;
  const messageId = `${task.messageId}@${from.address.slice(from.address.lastIndexOf('@') + 1)}`;
  const recipients = [...new Set([...to, ...cc, ...bcc].map(({ address }) => address))];
  const bytes = await composeMessage(message, messageId, task.date);
  if (bytes.length > mostBytes) return badMessage('the message is larger than 50 MiB');
  const { signal } = cancellation;
  try {
    await deliverMail(server, { from: from.address, to: recipients }, bytes, signal);
  } catch (error) {
    return failureOf(error, signal);
  }
  return { ok: true, value: { id: messageId, recipients: recipients.length } };
}

const failureOf = (error: unknown, signal: AbortSignal): Failure =>
  signal.aborted ? noConnection('the call was cancelled') : mailFailure(error);

/** Properties of nodemailer's errors. */
interface MailError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly command?: unknown;
  readonly response?: unknown;
  readonly responseCode?: unknown;
  readonly originalCode?: unknown;
}

const refusals: Readonly<Record<string, string>> = {
  'MAIL FROM': 'the mail server refused the sender',
  'RCPT TO': 'the mail server refused a recipient, and no one got the message',
  DATA: 'the mail server did not accept the message',
};

function mailFailure(thrown: unknown): Failure {
  const { code, message, command, response, responseCode, originalCode } = (
    typeof thrown === 'object' && thrown !== null ? thrown : {}
  ) as MailError; // all its fields are unknown
  const said = typeof response === 'string' ? response : '';
  const text = typeof message === 'string' ? message : '';
  const isAboutCertificate = /certificate|self.signed|altnames/i.test(text);
  if (code === 'ETLS' && !isAboutCertificate)
    return noConnection('no encrypted connection could be made, and wf sends a password only over one', false);
  if (typeof responseCode === 'number' && responseCode >= 400) {
    const retryable = responseCode < 500;
    const more = { retryable, status: responseCode, body: said };
    if (code === 'EAUTH')
      return mailRefused(`the mail server does not accept the user and password of its address (${responseCode})`, more);
    const what = refusals[String(command)] ?? 'the mail server refused';
    return mailRefused(`${what} (${responseCode})`, more);
  }
  if (code === 'EAUTH') return mailRefused('the mail server offers no way to sign in that wf knows', { body: said });
  if (isAboutCertificate) return noConnection('its certificate is not trusted', false);
  if (code === 'EPROTOCOL') return noConnection('it does not answer like a mail server');
  return causeOf(originalCode === undefined ? thrown : { code: originalCode });
}

// Sends a message to all recipients or to none: if the server refuses one recipient, no one gets it.

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
async function composeMessage(message: Message, messageId: string, date: number): Promise<Buffer> {
  const { from, to, cc, bcc, replyTo, subject, text, html, attachments } = message;
  const composer = new MailComposer({
    from,
    to: [...to],
    cc: [...cc],
    bcc: [...bcc],
    replyTo: [...replyTo],
    subject,
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
async function deliverMail(server: MailServer, envelope: Envelope, message: Buffer, signal: AbortSignal): Promise<void> {
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
function readMailServer(text: string): MailServer | { readonly problem: string } {
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

interface Attachment {
  readonly filename: string;
  readonly content: Buffer;
}

interface Message {
  readonly ok: true;
  readonly from: MailAddress;
  readonly to: readonly MailAddress[];
  readonly cc: readonly MailAddress[];
  readonly bcc: readonly MailAddress[];
  readonly replyTo: readonly MailAddress[];
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly attachments: readonly Attachment[];
}

/** Maximum recipients of a message. */
const mostRecipients = 1_000;
const mostAttachments = 100;
const longestSubject = 1_000;

class Refused extends Error {}

async function readMessage({ from, parameters }: MailTask): Promise<Message | Failure> {
  const given = new Map(parameters);
  const addresses = (key: string): MailAddress[] => list(given.get(key)).map((value) => one(key, value));
  try {
    const sender = readMailAddress(from);
    if (sender === undefined) throw new Refused('its sender (from) is not a single mail address');
    const to = addresses('to');
    if (to.length === 0) throw new Refused('"to" is empty, so the message has no recipient');
    const [cc, bcc, replyTo] = [addresses('cc'), addresses('bcc'), addresses('reply-to')];
    if (to.length + cc.length + bcc.length > mostRecipients) throw new Refused(`it has more than ${mostRecipients} recipients`);
    const text = body('text', given.get('text'));
    const html = body('html', given.get('html'));
    return {
      ok: true,
      from: sender,
      to,
      cc,
      bcc,
      replyTo,
      subject: subjectOf(given.get('subject')),
      ...(text === undefined && html !== undefined ? {} : { text: text ?? '' }),
      ...(html === undefined ? {} : { html }),
      attachments: await attachmentsOf(given.get('attachments')),
    };
  } catch (error) {
    if (error instanceof Refused) return badMessage(error.message);
    throw error;
  }
}

/** Text is a single item; `empty` is none. */
function list(value: Value): Value[] {
  if (value === null || value === undefined || value === '') return [];
  return Array.isArray(value) ? value : [value];
}

function one(key: string, value: Value): MailAddress {
  const read = typeof value === 'string' ? readMailAddress(value) : undefined;
  if (read === undefined) throw new Refused(`"${key}" is not a single mail address; write several as a list of texts`);
  return read;
}

function subjectOf(value: Value): string {
  const subject = body('subject', value) ?? '';
  if (/[\r\n\u0000]/.test(subject)) throw new Refused('its subject contains a line break');
  if (subject.length > longestSubject) throw new Refused(`its subject is longer than ${longestSubject} characters`);
  return subject;
}

function body(key: string, value: Value): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'object') throw new Refused(`"${key}" is a ${Array.isArray(value) ? 'list' : 'record'}, but must be text`);
  return show(value);
}

async function attachmentsOf(value: Value): Promise<Attachment[]> {
  const given = list(value);
  if (given.length > mostAttachments) throw new Refused(`it has more than ${mostAttachments} attachments`);
  const attachments: Attachment[] = [];
  for (const item of given) attachments.push(await attachmentOf(item));
  return attachments;
}

async function attachmentOf(value: Value): Promise<Attachment> {
  const form = 'an attachment must be a record with a name and either text or rows';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refused(form);
  const { name, text, rows, ...others } = Object.assign(Object.create(null), value) as { [key: string]: Value }; // own fields only
  if (typeof name !== 'string' || name.trim() === '' || Object.keys(others).length > 0) throw new Refused(form);
  if (/[\u0000-\u001f\u007f/\\]/.test(name))
    throw new Refused('the name of an attachment contains a slash or a control character');
  if ((text === undefined) === (rows === undefined)) throw new Refused(form);
  if (rows === undefined) return { filename: name, content: Buffer.from(body('text', text) ?? '') };
  const made = await tableFile(name, rows);
  if (typeof made === 'string') throw new Refused(`the attachment cannot be made: ${made}`);
  return { filename: name, content: made };
}

interface MailAddress {
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
