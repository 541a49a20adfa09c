// What the server answers where no workflow speaks: one function for each row of the table in `behaviour.md` 4, so that the direct path and
// Express's side cannot word a case differently. A refusal is data; `answer.ts` sends it.

export interface Refusal {
  readonly status: number;
  readonly error: string;
  readonly hint: string;
  /** Further headers, names and values by turns. */
  readonly headers?: readonly string[];
}

export const bodyOf = ({ error, hint }: Refusal): string => JSON.stringify({ error, hint });

export const unauthorized: Refusal = {
  status: 401,
  error: 'Unauthorized',
  hint: 'Send the header "Authorization: Bearer <token>", once, with the token that this server was started with.',
  headers: ['WWW-Authenticate', 'Bearer'],
};

/** @param routes the lines of the hint, such as `POST /hello` */
export const unknownRoute = (method: string, path: string, routes: readonly string[]): Refusal => ({
  status: 404,
  error: `There is nothing at ${method} ${path}.`,
  hint: routes.length === 0 ? 'No workflow is served at the moment.' : `This server answers ${routes.join(', ')}.`,
});

export const wrongMethod = (method: string, path: string, allowed: readonly string[]): Refusal => ({
  status: 405,
  error: `${path} does not take ${method}.`,
  hint: `Use ${allowed.filter((name) => name !== 'OPTIONS' && name !== 'HEAD').join(' or ')}.`,
  headers: ['Allow', allowed.join(', ')],
});

export const wrongType = (type: string): Refusal => ({
  status: 415,
  error: `The content type ${JSON.stringify(type)} is not JSON.`,
  hint: 'Send the body as JSON, in UTF-8, with "Content-Type: application/json".',
});

export const wrongEncoding = (encoding: string): Refusal => ({
  status: 415,
  error: `The content encoding ${JSON.stringify(encoding)} is not supported.`,
  hint: 'Send the body as it is, without compression and without a Content-Encoding header.',
  headers: ['Accept-Encoding', 'identity'],
});

export const tooLarge = (limit: number): Refusal => ({
  status: 413,
  error: 'The body is too large.',
  hint: `This server takes bodies of up to ${limit} bytes.`,
});

/** @param fault a whole sentence with the place of the fault */
export const badBody = (error: string, fault: string): Refusal => ({ status: 400, error, hint: fault });

export const tooMany: Refusal = {
  status: 503,
  error: 'Too many workflows are running.',
  hint: 'Send the request again in a moment; this one did not start anything.',
  headers: ['Retry-After', '1'],
};

export const stopping: Refusal = {
  status: 503,
  error: 'The server is stopping.',
  hint: 'Send the request again in a moment; this one did not start anything.',
  headers: ['Retry-After', '5'],
};

export const wrongExpectation = (expectation: string): Refusal => ({
  status: 417,
  error: `The expectation ${JSON.stringify(expectation)} cannot be met.`,
  hint: 'Leave the Expect header out, or send "Expect: 100-continue".',
});

/** RFC 9112, 3.2: a request of HTTP/1.1 has one `Host`. */
export const wrongHost: Refusal = {
  status: 400,
  error: 'The request does not have exactly one Host header.',
  hint: 'Send one, with the name and the port of this server: "Host: example.com:3000".',
};

/** RFC 9112, 6.1. Another coding than `chunked` would reach the workflow undecoded. */
export const wrongCoding = (coding: string): Refusal => ({
  status: 501,
  error: `The transfer coding ${JSON.stringify(coding)} is not supported.`,
  hint: 'Send the body as it is, with "Content-Length" or "Transfer-Encoding: chunked".',
});

/** A fault of our own; the cause goes to the operator, never to the client. */
export const fault: Refusal = {
  status: 500,
  error: 'The server failed to answer.',
  hint: 'The fault is not in the request. The log of the server has the details under this X-Request-Id.',
};

const unreadable: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, error: 'The headers are too large.', hint: 'Send fewer or shorter headers.' },
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

/** Bytes that are no HTTP request. @param code of the parser's error */
export const badRequest = (code: string | undefined): Refusal =>
  unreadable[code ?? ''] ?? {
    status: 400,
    error: 'This is not a valid HTTP request.',
    hint: 'Check the request line, the headers and the framing of the body.',
  };
