// Checks the signatures of webhooks for the workflows that require one, before anything else looks at the body.
import type { Environment, WfRecord } from '../../../runtime/types.js';
import { isWebhookProvider } from '../../compiler/vocabulary/webhook-providers.js';
import type { Reply } from '../app/answer.js';
import type { HttpExchange } from '../app/exchange.js';
import type { PublicAddress } from '../app/public-address.js';
import type { Refusal } from '../app/refusal.js';
import type { Route } from '../workflows/route-table.js';
import { signings } from './signatures.js';

const wrongSignature: Refusal = {
  status: 401,
  error: 'The signature is missing or wrong.',
  hint: 'Sign the body as sent, with the secret that this workflow knows, and send a current time stamp.',
};

export interface SignedRoutes {
  /** Whether requests to this workflow carry a signature in place of a token. */
  readonly isSigned: (route: Route) => boolean;
  /** For the bytes of a body; `undefined` if the workflow requires no signature. */
  readonly verifier: (exchange: HttpExchange, route: Route) => ((body: Buffer) => Refusal | undefined) | undefined;
  /** The id of the delivery, which the provider repeats with each attempt. */
  readonly deliveryId: (exchange: HttpExchange, route: Route, request: WfRecord) => string | undefined;
  /** The answer to a question of the provider, which is not a request. */
  readonly challenge: (route: Route, request: WfRecord) => Reply | undefined;
  /** The answer to Meta's question, which comes by `GET`; `undefined` if it is not one. */
  readonly subscription: (exchange: HttpExchange, route: Route) => Reply | Refusal | undefined;
}

const plain = (body: string): Reply => ({ status: 200, text: body, type: 'text/plain; charset=utf-8' });

const signingOf = ({ prepared }: Route): (typeof signings)[keyof typeof signings] | undefined => {
  const { signature } = prepared.workflow.serving ?? {};
  return signature === undefined || !isWebhookProvider(signature) ? undefined : signings[signature];
};

export function createSignedRoutes(env: Environment, address: PublicAddress): SignedRoutes {
  /** The whole value, and its parts: there are several while one is being changed. */
  const secretsOf = ({ prepared }: Route): string[] =>
    (prepared.workflow.serving?.secrets ?? []).flatMap((name) => {
      const value = (env[name] ?? '').trim();
      return [...new Set([value, ...value.split(/\s+/)])].filter((secret) => secret !== '');
    });
  return {
    isSigned: ({ prepared }) => prepared.workflow.serving?.signature !== undefined,
    verifier(exchange, route) {
      const provider = signingOf(route);
      if (provider === undefined) return undefined;
      const { headers } = exchange.request;
      const url = `${address.baseOf(exchange.request)}${exchange.target}`;
      return (body) => {
        const delivery = { headers, body, url, now: Math.floor(Date.now() / 1000) };
        return secretsOf(route).some((secret) => provider.isSigned(secret, delivery)) ? undefined : wrongSignature;
      };
    },
    deliveryId(exchange, route, request) {
      const id = signingOf(route)?.deliveryId(exchange.request.headers, request);
      return id !== undefined && /^[\x21-\x7e]{1,255}$/.test(id) ? id : undefined;
    },
    challenge(route, request) {
      const asked = signingOf(route)?.challenge?.(request);
      return asked === undefined ? undefined : plain(asked);
    },
    subscription(exchange, route) {
      if (route.prepared.workflow.serving?.signature !== 'meta') return undefined;
      const query = new URLSearchParams(exchange.target.split('?')[1] ?? '');
      const challenge = query.get('hub.challenge');
      if (query.get('hub.mode') !== 'subscribe' || challenge === null) return undefined;
      // Only digits and letters come back, so nothing that a browser would run.
      const isRight = secretsOf(route).includes(query.get('hub.verify_token') ?? '') && /^[\w-]{1,200}$/.test(challenge);
      return isRight ? plain(challenge) : wrongSignature;
    },
  };
}
