// A message to someone without the mail server that sends it: `send mail to request.email with subject "Hi"`.

/** Unlike services, variables start with a small letter. */
const VALUE = String.raw`("[^"]*"|[\p{Ll}_][\p{L}\p{N}_.-]*)`;
const SENDS = new RegExp(
  String.raw`^(?:send|e-?mail|mail) (?:(?:an? |the )?([\p{L}-]+) )?to ${VALUE}(?:,? (?:with|and) (?!the |an? )(.+))?$`,
  'u',
);
const MAILS = new RegExp(`^(?:e-?mail|mail) ${VALUE},? (?:with |saying )?("[^"]*")$`, 'u');

/** A server that is declared further down is not searched for. */
const FARTHEST = 20_000;

/** The line as a call; `undefined` if it is another kind of line, or the file declares no mail server. */
export function asMail(line: string, text: string): string | undefined {
  if (line.length > 300 || !/^(?:send|e-?mail|mail) /.test(line) || /\busing\b/.test(line)) return undefined;
  const [, what = 'mail', to, pairs] = SENDS.exec(line) ?? [];
  const [, address, message] = MAILS.exec(line) ?? [];
  if (to === undefined && address === undefined) return undefined;
  const server = /^ {4}([\p{L}_][\p{L}\p{N}_-]*) is an? mail server\b/mu.exec(text.slice(0, FARTHEST))?.[1];
  if (server === undefined) return undefined;
  if (to === undefined) return `send mail using ${server} with to ${address} and text ${message}`;
  return `send ${what} using ${server} with to ${to}${pairs === undefined ? '' : ` and ${pairs}`}`;
}
