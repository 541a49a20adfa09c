// Knows how each webhook provider signs its webhooks: what is signed and how, the id of a delivery, and questions that the provider asks first. Follows
// the documentation of each; Standard Webhooks is at standardwebhooks.com.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { WfRecord } from '../../../runtime/types.js';
import type { WebhookProvider } from '../../compiler/vocabulary/webhook-providers.js';

/** A request before its body is parsed. */
interface Delivery {
  readonly headers: IncomingHttpHeaders;
  /** The bytes as received. */
  readonly body: Buffer;
  /** The address that the provider knows, with path and query. */
  readonly url: string;
  /** Seconds since 1970. */
  readonly now: number;
}

interface Signing {
  /** Whether the secret signed this delivery, recently if it has a time stamp. */
  readonly isSigned: (secret: string, delivery: Delivery) => boolean;
  /** Identifies the delivery: equal for each attempt to deliver it. */
  readonly deliveryId: (headers: IncomingHttpHeaders, request: WfRecord) => string | undefined;
  /** The answer to a question that the provider asks before it sends anything. */
  readonly challenge?: (request: WfRecord) => string | undefined;
}

/** Seconds that a time stamp may be off. */
const TOLERANCE = 300;

const hmac = (secret: string | Buffer, parts: readonly (string | Buffer)[], hash = 'sha256'): Buffer => {
  const made = createHmac(hash, secret);
  for (const part of parts) made.update(part);
  return made.digest();
};

const header = (headers: IncomingHttpHeaders, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

/** Compares in constant time. */
function isSame(given: string, expected: Buffer, encoding: 'hex' | 'base64'): boolean {
  const bytes = Buffer.from(given, encoding);
  // Node.js ignores what is not of the encoding.
  return bytes.length === expected.length && bytes.toString(encoding) === given && timingSafeEqual(bytes, expected);
}

const isRecent = (seconds: string, now: number): boolean =>
  /^\d{1,12}$/.test(seconds) && Math.abs(Number(seconds) - now) <= TOLERANCE;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

/** `sha256=<hex>` over the body. */
const hubSignature = (secret: string, { headers, body }: Delivery): boolean => {
  const given = /^sha256=([\da-f]{64})$/.exec(header(headers, 'x-hub-signature-256'))?.[1];
  return given !== undefined && isSame(given, hmac(secret, [body]), 'hex');
};

export const signings: Readonly<Record<WebhookProvider, Signing>> = {
  'standard-webhooks': {
    isSigned(secret, { headers, body, now }) {
      const [id, at] = [header(headers, 'webhook-id'), header(headers, 'webhook-timestamp')];
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
      // Anyone can sign with a key of no bytes: a variable that is not set, behind `whsec_`.
      if (id === '' || key.length === 0 || !isRecent(at, now)) return false;
      const expected = hmac(key, [`${id}.${at}.`, body]);
      const given = header(headers, 'webhook-signature').split(' ');
      return given.some((one) => one.startsWith('v1,') && isSame(one.slice(3), expected, 'base64'));
    },
    deliveryId: (headers) => text(headers['webhook-id']),
  },
  github: { isSigned: hubSignature, deliveryId: (headers) => text(headers['x-github-delivery']) },
  stripe: {
    isSigned(secret, { headers, body, now }) {
      const parts = header(headers, 'stripe-signature')
        .split(',')
        .map((part) => part.split('=', 2));
      const at = parts.find(([name]) => name === 't')?.[1] ?? '';
      if (!isRecent(at, now)) return false;
      const expected = hmac(secret, [`${at}.`, body]);
      return parts.some(([name, value = '']) => name === 'v1' && isSame(value, expected, 'hex'));
    },
    deliveryId: (_headers, { id }) => (String(id).startsWith('evt_') ? text(id) : undefined),
  },
  slack: {
    isSigned(secret, { headers, body, now }) {
      const at = header(headers, 'x-slack-request-timestamp');
      const given = /^v0=([\da-f]{64})$/.exec(header(headers, 'x-slack-signature'))?.[1];
      return given !== undefined && isRecent(at, now) && isSame(given, hmac(secret, [`v0:${at}:`, body]), 'hex');
    },
    deliveryId: (_headers, request) => text(request.event_id),
    challenge: ({ type, challenge }) => (type === 'url_verification' ? text(challenge) : undefined),
  },
  shopify: {
    isSigned: (secret, { headers, body }) => isSame(header(headers, 'x-shopify-hmac-sha256'), hmac(secret, [body]), 'base64'),
    deliveryId: (headers) => text(headers['x-shopify-webhook-id']),
  },
  twilio: {
    isSigned(secret, { headers, body, url }) {
      const isForm = /^application\/x-www-form-urlencoded\b/i.test(header(headers, 'content-type'));
      if (!isForm && body.length > 0 && !isBodyOf(url, body)) return false;
      const fields = isForm ? twilioFields(new URLSearchParams(body.toString('utf8'))) : [];
      return isSame(header(headers, 'x-twilio-signature'), hmac(secret, [url, ...fields], 'sha1'), 'base64');
    },
    deliveryId: (headers) => text(headers['i-twilio-idempotency-token']),
  },
  mailgun: {
    isSigned(secret, { headers, body, now }) {
      const [at, token, given] = mailgunSignature(formOr(headers, body));
      if (at === undefined || token === undefined || given === undefined || !isRecent(at, now)) return false;
      return isSame(given, hmac(secret, [at, token]), 'hex');
    },
    deliveryId: (_headers, request) => mailgunSignature(request)[1],
  },
  meta: { isSigned: hubSignature, deliveryId: () => undefined },
};

/** Twilio signs each field once, in the order of names, then of values. */
function twilioFields(fields: URLSearchParams): string[] {
  const known = new Map<string, Set<string>>();
  for (const [name, value] of fields) known.set(name, (known.get(name) ?? new Set()).add(value));
  return [...known.keys()].sort().flatMap((name) => [...(known.get(name) ?? [])].sort().map((value) => name + value));
}

/** Whether the signed address names the hash of a body that is not a form: Twilio signs nothing else of it. */
function isBodyOf(url: string, body: Buffer): boolean {
  const hash = new URLSearchParams(url.split('?')[1] ?? '').get('bodySHA256') ?? '';
  return isSame(hash, createHash('sha256').update(body).digest(), 'hex');
}

/** Time, token and signature: under `signature` in an event, fields of the form with which Mailgun forwards mail. */
function mailgunSignature(request: unknown): (string | undefined)[] {
  const inside = field(request, 'signature');
  const from = typeof inside === 'string' ? request : inside;
  return ['timestamp', 'token', 'signature'].map((name) => text(field(from, name)));
}

function formOr(headers: IncomingHttpHeaders, body: Buffer): unknown {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(header(headers, 'content-type'));
  if (isForm) return Object.fromEntries(new URLSearchParams(body.toString('utf8')));
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The request that `wf send` sends: a body as the provider would send it, with its signature. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Signs a JSON text as a provider does. For Twilio, it becomes a form; Mailgun's signature is part of the body. */
export function signedRequest(
  provider: WebhookProvider,
  secret: string,
  sent: { url: string; body: string; id: string; now: number },
): SignedRequest {
  const { url, body, id, now } = sent;
  const signed = (parts: string[], encoding: 'hex' | 'base64' = 'hex'): string => hmac(secret, parts).toString(encoding);
  const json = (headers: Record<string, string>): SignedRequest => ({
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
  switch (provider) {
    case 'standard-webhooks': {
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
      const signature = hmac(key, [`${id}.${now}.${body}`]).toString('base64');
      return json({ 'Webhook-Id': id, 'Webhook-Timestamp': String(now), 'Webhook-Signature': `v1,${signature}` });
    }
    case 'github':
      return json({ 'X-Hub-Signature-256': `sha256=${signed([body])}`, 'X-GitHub-Delivery': id });
    case 'meta':
      return json({ 'X-Hub-Signature-256': `sha256=${signed([body])}` });
    case 'stripe':
      return json({ 'Stripe-Signature': `t=${now},v1=${signed([`${now}.${body}`])}` });
    case 'slack':
      return json({ 'X-Slack-Request-Timestamp': String(now), 'X-Slack-Signature': `v0=${signed([`v0:${now}:${body}`])}` });
    case 'shopify':
      return json({ 'X-Shopify-Hmac-Sha256': signed([body], 'base64'), 'X-Shopify-Webhook-Id': id });
    case 'twilio': {
      const fields = new URLSearchParams(JSON.parse(body));
      const signature = hmac(secret, [url, ...twilioFields(fields)], 'sha1').toString('base64');
      const headers = { 'X-Twilio-Signature': signature, 'I-Twilio-Idempotency-Token': id };
      return { headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers }, body: fields.toString() };
    }
    case 'mailgun': {
      const signature = { timestamp: String(now), token: id, signature: signed([String(now), id]) };
      return { ...json({}), body: JSON.stringify({ ...(JSON.parse(body) as object), signature }) };
    }
  }
}
