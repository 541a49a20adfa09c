// A message goes to a mail server, or to nobody: if one recipient is refused, none gets it.
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { MailServer } from './mail-server.js';
import type { Message } from './message.js';

export interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

/** What is used of nodemailer's connection beyond its types. Tests of refused recipients hold it. */
interface Internals {
  readonly _envelope: { readonly rejectedErrors: readonly Error[]; mailError?: Error } | false | undefined;
  /** Called when all recipients have been answered; an error that it returns is that of the message. */
  _envelopeError(reply: string): Error | null;
}

/** nodemailer sends to those recipients that were accepted. Here the first refusal ends the message, before its text is sent. */
function toAllOrNobody(connection: SMTPConnection): void {
  const internals = connection as unknown as Internals;
  const usual = internals._envelopeError;
  internals._envelopeError = function (reply) {
    const [refused] = (this._envelope || undefined)?.rejectedErrors ?? [];
    // With this, a server that already waits for the text is cut off instead of getting an empty one.
    if (refused !== undefined && this._envelope) this._envelope.mailError ??= refused;
    return usual.call(this, reply);
  };
}

/** The message as it is sent. `messageId` without angle brackets. */
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

/** Rejects with nodemailer's error, or when the signal aborts: then the connection is closed. */
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
    // After what the step itself has to say: it may close the connection because of that.
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
