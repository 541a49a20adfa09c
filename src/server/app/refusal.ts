// Makes the server's own answers to requests that no workflow handles. The fast path and Express share these functions, so their
// wording is identical. A refusal is data; `answer.ts` sends it.
import type { InputProblem } from '../../../runtime/inputs/input-types.js';
import { isOutOfFiles } from '../../engine/files/file-fault.js';

export interface Refusal {
  readonly status: number;
  readonly error: string;
  readonly hint: string;
  /** The problems of the request's fields. */
  readonly problems?: readonly InputProblem[];
  /** Extra headers, alternating names and values. */
  readonly headers?: readonly string[];
}

export const refusalText = ({ error, hint, problems }: Refusal): string => JSON.stringify({ error, hint, problems });

export const unauthorized: Refusal = {
  status: 401,
  error: 'Unauthorized',
  hint: 'Send one header "Authorization: Bearer <token>" with the token of this server.',
  headers: ['WWW-Authenticate', 'Bearer'],
};

/** A known token that is for something else. */
export const notOfToken: Refusal = {
  status: 403,
  error: 'This token may not start this workflow.',
  hint: 'Nothing was done. Its entry in the file of --tokens says what it is for.',
};

export const tooManyGuesses: Refusal = {
  status: 429,
  error: 'Too many wrong tokens came from this address.',
  hint: 'Nothing was done. The right token works at any time.',
  headers: ['Retry-After', '8'],
};

export const foreignPage: Refusal = {
  status: 403,
  error: 'This server takes no requests from pages of other sites.',
  hint: 'It has no token, so any page that someone on this machine visits could start runs. Programs send JSON, and a Host such as localhost:3000. Behind a proxy, start the server with its --public-url. To allow the pages of an origin, start the server with --allow-origin, or use --auth-token.',
};

/** Characters of an address to repeat. */
const MOST_OF_ADDRESS = 200;

const briefly = (path: string): string => (path.length <= MOST_OF_ADDRESS ? path : `${path.slice(0, MOST_OF_ADDRESS - 1)}…`);

/** @param routes to list in the hint, such as `POST /hello` */
export const unknownRoute = (method: string, path: string, routes: readonly string[]): Refusal => ({
  status: 404,
  error: `No route matches ${method} ${briefly(path)}.`,
  hint: routes.length === 0 ? 'This server currently serves no workflows.' : `This server answers ${routes.join(', ')}.`,
});

export const wrongMethod = (method: string, path: string, allowed: readonly string[]): Refusal => ({
  status: 405,
  error: `${briefly(path)} does not support ${method}.`,
  hint: `Use ${allowed.filter((name) => name !== 'OPTIONS' && name !== 'HEAD').join(' or ')}.`,
  headers: ['Allow', allowed.join(', ')],
});

export const wrongType = (type: string): Refusal => ({
  status: 415,
  error: `The content type ${JSON.stringify(type)} is not JSON.`,
  hint: 'Send the body as JSON, in UTF-8, with "Content-Type: application/json".',
});

export const foreignForm: Refusal = {
  status: 403,
  error: 'Forms from pages of other sites are not accepted.',
  hint: 'Send the body as JSON.',
};

export const wrongEncoding = (encoding: string): Refusal => ({
  status: 415,
  error: `The content encoding ${JSON.stringify(encoding)} is not supported.`,
  hint: 'Send the body uncompressed, without a Content-Encoding header.',
  headers: ['Accept-Encoding', 'identity'],
});

export const bodyTooLarge = (limit: number): Refusal => ({
  status: 413,
  error: 'The body is too large.',
  hint: `This server accepts bodies of up to ${limit} bytes.`,
});

/** @param fault a whole sentence that says where the fault is */
export const badBody = (error: string, fault: string): Refusal => ({ status: 400, error, hint: fault });

/** The request does not fit the declared inputs. */
export const unfit = (problems: readonly InputProblem[]): Refusal => ({
  status: 400,
  error: 'The request does not fit the inputs of this workflow.',
  hint: 'Correct the fields under "problems", and send the request again. No run was started.',
  problems,
});

export const tooMany: Refusal = {
  status: 503,
  error: 'Too many workflows are running.',
  hint: 'No run was started. Send the request again in a moment.',
  headers: ['Retry-After', '1'],
};

export const tooManyOfOne: Refusal = {
  status: 429,
  error: 'Too many runs of this workflow are in progress.',
  hint: 'No run was started. Send the request again in a moment.',
  headers: ['Retry-After', '1'],
};

/** @param seconds until the sender may send again */
export const tooOften = (seconds: number): Refusal => ({
  status: 429,
  error: 'Too many requests from this sender.',
  hint: `Nothing was done. Send the request again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
  headers: ['Retry-After', String(seconds)],
});

export const tooMuchAtOnce: Refusal = {
  status: 503,
  error: 'Too many large bodies are arriving at once.',
  hint: 'No run was started. Send the request again in a moment.',
  headers: ['Retry-After', '1'],
};

export const tooMuchInProgress: Refusal = {
  ...tooMuchAtOnce,
  error: 'Too many large requests are in progress.',
};

export const stopping: Refusal = {
  status: 503,
  error: 'The server is stopping.',
  hint: 'No run was started. Send the request again in a moment.',
  headers: ['Retry-After', '5'],
};

export const wrongExpectation = (expectation: string): Refusal => ({
  status: 417,
  error: `The expectation ${JSON.stringify(expectation)} is not supported.`,
  hint: 'Remove the Expect header, or send "Expect: 100-continue".',
});

/** RFC 9112, 3.2: an HTTP/1.1 request has one `Host`. */
export const wrongHost: Refusal = {
  status: 400,
  error: 'The request must have exactly one Host header.',
  hint: 'Send the name and port of this server, such as "Host: example.com:3000".',
};

export const wrongTarget: Refusal = {
  status: 400,
  error: 'The request target is not valid.',
  hint: 'Send the path, without a fragment: "POST /orders HTTP/1.1".',
};

/** RFC 9112, 6.1. With any coding other than `chunked`, the workflow would receive the body undecoded. */
export const wrongCoding = (coding: string): Refusal => ({
  status: 501,
  error: `The transfer coding ${JSON.stringify(coding)} is not supported.`,
  hint: 'Send the body unencoded, with "Content-Length" or "Transfer-Encoding: chunked".',
});

/** A bug in wf or a failure of the machine. The cause goes to the operator, never to the client. */
const fault: Refusal = {
  status: 500,
  error: 'Internal server error.',
  hint: 'The request is not at fault. The server log has the details under this X-Request-Id.',
};

const tooManyFiles: Refusal = {
  status: 503,
  error: 'The server has too many files and connections open.',
  hint: 'Send the request again in a moment.',
  headers: ['Retry-After', '1'],
};

/** For a request that failed for this reason. */
export const faultAfter = (cause: unknown): Refusal => (isOutOfFiles(cause) ? tooManyFiles : fault);

export const tooManyHeaders: Refusal = {
  status: 431,
  error: 'The headers are too large.',
  hint: 'Send fewer or shorter headers.',
};

const unreadable: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: tooManyHeaders,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    error: 'The chunk extensions are too large.',
    hint: 'Send the body without chunk extensions.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    error: 'The request took too long to arrive.',
    hint: 'Send the headers and the body without long pauses.',
  },
};

/** For bytes that are not an HTTP request. @param code the error code of the parser */
export const badRequest = (code: string | undefined): Refusal =>
  unreadable[code ?? ''] ?? {
    status: 400,
    error: 'This is not a valid HTTP request.',
    hint: 'Check the request line, the headers and the length of the body.',
  };
