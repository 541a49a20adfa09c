// Lets browsers of one origin, or of any, call the server: `cors()` with what the server exposes.
import type { HttpExchange } from './exchange.js';

const ofRuns = ['Location', 'X-Run-Id', 'Preference-Applied', 'Idempotency-Replayed'];

export interface CorsOptions {
  /** `*`, or one origin. */
  readonly origin: string;
  /** Clients may say how long they wait, and are told where their run is. */
  readonly hasStore: boolean;
  /** Pages of other origins have no business with operators' addresses. */
  readonly isForOperators: (exchange: HttpExchange) => boolean;
}

const exposed = (hasStore: boolean): string[] => ['X-Request-Id', 'Retry-After', ...(hasStore ? ofRuns : [])];

/** Sets the headers of CORS, then calls back. */
export type SetCors = (exchange: HttpExchange, next: (cause?: unknown) => void) => void;

export async function createCors({ origin, hasStore, isForOperators }: CorsOptions): Promise<SetCors> {
  const { default: cors } = await import('cors');
  const handler = cors({
    origin,
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: ['Authorization', 'Content-Type', 'X-Request-Id', 'Idempotency-Key', ...(hasStore ? ['Prefer'] : [])],
    exposedHeaders: exposed(hasStore),
    maxAge: 600,
    preflightContinue: true,
  });
  return (exchange, next) => {
    if (isForOperators(exchange)) next();
    else handler(exchange.request, exchange.response, next);
  };
}

/** The headers for answers to bytes that are not a request, which no middleware sees. Alternating names and values. */
export const corsHeaders = (origin: string | undefined, hasStore: boolean): readonly string[] =>
  origin === undefined
    ? []
    : [
        ...['Access-Control-Allow-Origin', origin],
        ...(origin === '*' ? [] : ['Vary', 'Origin']),
        ...['Access-Control-Expose-Headers', exposed(hasStore).join(',')],
      ];
