// A minimal web client: keeps cookies, sends forms, follows nothing.
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

export interface WebClient {
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  /** Sends fields like a form of the console, with the form token of the last page. */
  post(path: string, fields?: Record<string, string> | [string, string][], headers?: Record<string, string>): Promise<Reply>;
  /** Form token of the last page. */
  formToken(): string;
  cookie(): string;
}

export function webClient(base: string): WebClient {
  let cookie = '';
  let formToken = '';
  const send = async (path: string, init: RequestInit): Promise<Reply> => {
    const headers = { ...(cookie === '' ? {} : { cookie }), ...Object.fromEntries(new Headers(init.headers)) };
    const response = await fetch(`${base}${path}`, { ...init, headers, redirect: 'manual' });
    const set = response.headers.get('set-cookie');
    if (set !== null) cookie = set.split(';')[0] ?? '';
    const text = await response.text();
    formToken = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? formToken;
    return { status: response.status, text, headers: response.headers };
  };
  return {
    get: (path, headers = {}) => send(path, { headers }),
    post(path, fields = {}, headers = {}) {
      const body = new URLSearchParams(Array.isArray(fields) ? fields : Object.entries(fields));
      if (!body.has('token')) body.append('token', formToken);
      return send(path, {
        method: 'POST',
        body: body.toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      });
    },
    formToken: () => formToken,
    cookie: () => cookie,
  };
}
