// A transport over `fetch`, for built modules that run without wf, and for hosts that bring their own `fetch`.

import type { Transport, WfRecord } from '../types.js';
import { setOwn } from '../values/record.js';

/** Sends requests with this `fetch`. Doesn't follow redirects. */
export function fetchTransport(send: typeof fetch): Transport {
  return async ({ method, url, headers, body, signal }) => {
    const response = await send(url, { method, headers, redirect: 'manual', signal, ...(body === undefined ? {} : { body }) });
    return {
      status: response.status,
      headers: headersOf(response.headers),
      body: response.body === null ? new Uint8Array() : parts(response.body),
    };
  };
}

function headersOf(headers: Headers): Record<string, string | string[]> {
  const record: WfRecord = {};
  for (const [name, value] of headers) {
    if (name !== 'set-cookie') setOwn(record, name, value);
  }
  const cookies = headers.getSetCookie?.() ?? [];
  if (cookies.length > 0) record['set-cookie'] = cookies;
  return record as Record<string, string | string[]>; // Only texts and lists of texts were set above.
}

/** Reads the parts of a stream. Stopping early cancels it, which closes the connection. */
async function* parts(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      ended = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => undefined);
  }
}
