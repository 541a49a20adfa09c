// Performs tasks for mail servers: builds a message and sends it over a new connection.
import type { Cancellation } from '../../../runtime/run/cancellation.js';
import type { AttemptResult } from '../../../runtime/services/attempt.js';
import { type Failure, noConnection, unusableAddress } from '../../../runtime/services/call-errors.js';
import { causeOf } from '../../../runtime/services/cause.js';
import { badMessage, mailRefused } from '../../../runtime/services/connector-errors.js';
import type { MailTask } from '../../../runtime/services/connector-types.js';
import { composeMessage, deliverMail, readMailServer } from './deliver-mail.js';
import { readMessage } from './message.js';

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
