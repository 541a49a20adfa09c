// Turns what a transport throws into a failure in plain words. Covers the codes of Node.js, OpenSSL and undici, but never
// quotes their messages, which may contain addresses.
import { answerTooLarge, type Failure, noConnection, notSent, requestRefused, unreadableAnswer } from './call-errors.js';

const brokenConnection = 'the connection broke before the answer was complete';

const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'its host name is unknown',
  EAI_AGAIN: 'its address could not be looked up',
  ECONNRESET: brokenConnection,
  EPIPE: brokenConnection,
  UND_ERR_SOCKET: brokenConnection,
  UND_ERR_CLOSED: brokenConnection,
  UND_ERR_DESTROYED: brokenConnection,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: brokenConnection,
  UND_ERR_RESPONSE_CONTENT_LENGTH_MISMATCH: brokenConnection,
  ETIMEDOUT: 'connecting took too long',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
  EHOSTUNREACH: 'its host is unreachable',
  EHOSTDOWN: 'its host is unreachable',
  ENETUNREACH: 'its network is unreachable',
  ENETDOWN: 'its network is unreachable',
  EADDRNOTAVAIL: 'this machine has no free port left for a connection',
  EMFILE: 'this machine has too many open connections',
  ENFILE: 'this machine has too many open connections',
};

/** Codes of connections that were never established, so the request can't have arrived. */
const noConnectionCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
]);

/** Covers every failure of a transport. Names an unknown code, so that it can be looked up. */
export function causeOf(thrown: unknown): Failure {
  const code = codeOf(thrown);
  // Our own words: which file, and why.
  if (code === 'ERR_WF_CERTIFICATE' && thrown instanceof Error) return notSent('WF672', thrown.message);
  if (code === 'ERR_WF_PROXY' && thrown instanceof Error) return notSent('WF651', thrown.message);
  if (code === 'UND_ERR_ABORTED' && thrown instanceof Error && /^Proxy response/.test(thrown.message))
    return noConnection('the proxy refused the connection', false, true);
  if (code === 'ERR_BUFFER_TOO_LARGE' || code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return answerTooLarge();
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW')
    return unreadableAnswer("the answer's headers are too large");
  if (/^(Z_|ERR__ERROR_|ERR_BROTLI)/.test(code)) return unreadableAnswer("the answer's compression is broken");
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED')
    return requestRefused('one of its headers is not allowed there');
  if (code === 'ERR_ASSERTION' || /^HPE_/.test(code)) return noConnection('the answer is not HTTP');
  if (/CERT|ERR_TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return noConnection(`its certificate is not trusted (${code})`, false, true);
  if (/^(EPROTO|ERR_SSL)/.test(code)) return noConnection('no secure connection could be made', true, true);
  return noConnection(
    causes[code] ?? `the connection failed${code === '' ? '' : ` (${code})`}`,
    true,
    noConnectionCodes.has(code),
  );
}

/** The code of an error, of its cause, or of the first of several: an attempt over IPv4 and IPv6 fails with both. */
function codeOf(thrown: unknown, depth = 0): string {
  if (typeof thrown !== 'object' || thrown === null || depth > 5) return '';
  if ('code' in thrown && typeof thrown.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(thrown.code)) return thrown.code;
  if ('errors' in thrown && Array.isArray(thrown.errors)) return codeOf(thrown.errors[0], depth + 1);
  return 'cause' in thrown ? codeOf(thrown.cause, depth + 1) : '';
}
