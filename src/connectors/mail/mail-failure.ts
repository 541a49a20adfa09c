// Translates errors of mail servers into failures in plain words. The server's reply only goes into `body`, because it may quote addresses.
import { type Failure, noConnection } from '../../../runtime/services/call-errors.js';
import { causeOf } from '../../../runtime/services/cause.js';
import { mailRefused } from '../../../runtime/services/connector-errors.js';

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

export function mailFailure(thrown: unknown): Failure {
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
