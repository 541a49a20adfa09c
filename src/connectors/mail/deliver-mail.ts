// Sends a message to all recipients or to none: if the server refuses one recipient, no one gets it.
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { MailServer } from './mail-server.js';
import type { Message } from './message.js';

export interface Envelope {
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
