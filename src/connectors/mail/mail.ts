// Performs tasks for mail servers: builds a message and sends it over a new connection.

import type { Cancellation } from '../../../runtime/run/cancellation.js';
import type { AttemptResult } from '../../../runtime/services/attempt.js';
import { type Failure, noConnection, unusableAddress } from '../../../runtime/services/call-errors.js';
import { badMessage } from '../../../runtime/services/connector-errors.js';
import type { MailTask } from '../../../runtime/services/connector-types.js';
import { composeMessage, deliverMail } from './deliver-mail.js';
import { mailFailure } from './mail-failure.js';
import { readMailServer } from './mail-server.js';
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
