// Turns the pairs of a call into a message. Only known properties are copied, so that a record from a request can't name a file or an
// address to fetch.
import type { Failure } from '../../../runtime/services/call-errors.js';
import { badMessage } from '../../../runtime/services/connector-errors.js';
import type { MailTask } from '../../../runtime/services/connector-types.js';
import type { Value } from '../../../runtime/types.js';
import { show } from '../../../runtime/values/values.js';
import { tableFile } from '../tables/table-file.js';

interface Attachment {
  readonly filename: string;
  readonly content: Buffer;
}

export interface Message {
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

export async function readMessage({ from, parameters }: MailTask): Promise<Message | Failure> {
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
      ...{ ok: true, from: sender, to, cc, bcc, replyTo, subject: subjectOf(given.get('subject')) },
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
