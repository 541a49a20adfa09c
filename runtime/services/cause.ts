// What a transport throws → a failure in plain words. Its own file, because here the codes of Node.js, OpenSSL and undici meet; no text of
// theirs gets through, as it may name addresses.
import { answerTooLarge, type Failure, noConnection, requestRefused, unreadableAnswer } from '../call-errors.js';

const brokenConnection = 'the connection broke before the answer was complete';

const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'its address is not known (no such host)',
  EAI_AGAIN: 'its address could not be looked up',
  ECONNRESET: brokenConnection,
  EPIPE: brokenConnection,
  UND_ERR_SOCKET: brokenConnection,
  UND_ERR_CLOSED: brokenConnection,
  UND_ERR_DESTROYED: brokenConnection,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: brokenConnection,
  UND_ERR_RESPONSE_CONTENT_LENGTH_MISMATCH: brokenConnection,
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  EHOSTUNREACH: 'its host cannot be reached',
  EHOSTDOWN: 'its host cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  ENETDOWN: 'its network cannot be reached',
  EADDRNOTAVAIL: 'this machine has no free connection to it',
  EMFILE: 'this machine has too many open connections',
  ENFILE: 'this machine has too many open connections',
};

/** Every failure of a transport; a code that nobody knows is named, so that it can be looked up. */
export function causeOf(thrown: unknown): Failure {
  const code = codeOf(thrown);
  if (code === 'ERR_BUFFER_TOO_LARGE' || code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return answerTooLarge();
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW')
    return unreadableAnswer("the answer's headers are too large");
  if (/^(Z_|ERR__ERROR_|ERR_BROTLI)/.test(code)) return unreadableAnswer("the answer's compression is broken");
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED')
    return requestRefused('one of its headers is not allowed there');
  if (/^HPE_/.test(code)) return noConnection('the answer is not HTTP');
  if (/CERT|ERR_TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return noConnection(`its certificate is not trusted (${code})`, false);
  if (/^(EPROTO|ERR_SSL)/.test(code)) return noConnection('no secure connection could be made');
  return noConnection(causes[code] ?? `the connection failed${code === '' ? '' : ` (${code})`}`);
}

/** The code of an error, of what caused it, or of the first of several: an attempt over IPv4 and IPv6 fails with both. */
function codeOf(thrown: unknown, depth = 0): string {
  if (typeof thrown !== 'object' || thrown === null || depth > 5) return '';
  if ('code' in thrown && typeof thrown.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(thrown.code)) return thrown.code;
  if ('errors' in thrown && Array.isArray(thrown.errors)) return codeOf(thrown.errors[0], depth + 1);
  return 'cause' in thrown ? codeOf(thrown.cause, depth + 1) : '';
}
