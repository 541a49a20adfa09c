// The options of `wf serve` and the environment go in, checked settings come out. Its own file because every wrong value is told here, once.

import { readSize, readWhole } from '../engine/read-number.js';
import { UsageError } from '../engine/usage-error.js';
import { checkOrigin, checkToken } from './check-access.js';

/** As the command line hands them over: text, or `true` for a switch. */
export interface ServeOptions {
  readonly port?: string;
  readonly host?: string;
  readonly verbose?: boolean;
  readonly mock?: boolean;
  readonly mocks?: string;
  readonly authToken?: string;
  readonly cors?: boolean;
  readonly corsOrigin?: string;
  readonly maxBody?: string;
  readonly timeout?: string;
  readonly maxConcurrent?: string;
  readonly grace?: string;
  readonly strictEnv?: boolean;
  readonly workers?: string;
  readonly watch?: boolean;
  readonly metrics?: boolean;
}

/** What may be asked of the server while it runs; times in milliseconds, sizes in bytes. */
export interface Limits {
  readonly maxBody: number;
  readonly maxConcurrent: number;
  /** Longest run; 0 for none. */
  readonly timeoutMs: number;
}

export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly verbose: boolean;
  readonly mock: boolean;
  /** File with mock answers of one's own. */
  readonly mocks: string | undefined;
  readonly token: string | undefined;
  /** `*`, one origin, or CORS is off. */
  readonly corsOrigin: string | undefined;
  readonly limits: Limits;
  /** How long runs in flight may go on once the server stops. */
  readonly graceMs: number;
  readonly strictEnv: boolean;
  readonly workers: number;
  readonly watch: boolean;
  readonly metrics: boolean;
}

const DAY_SECONDS = 86_400;

export const defaultLimits: Limits = { maxBody: 1024 * 1024, maxConcurrent: 1000, timeoutMs: 300_000 };

/** @throws UsageError naming the option (`behaviour.md` 4) */
export function readSettings(options: ServeOptions, env: Readonly<Record<string, string | undefined>>): Settings {
  if (options.host?.trim() === '')
    throw new UsageError('--host must not be empty.', 'Leave it out to listen on every address of this machine.');
  return {
    port: readWhole('--port', options.port, 0, 65_535) ?? 3000,
    // An address of IPv6 is often written as in a URL.
    host: options.host?.trim().replace(/^\[(.+)\]$/, '$1') ?? '0.0.0.0',
    verbose: options.verbose === true,
    mock: options.mock === true || options.mocks !== undefined,
    mocks: options.mocks,
    token: readToken(options, env),
    corsOrigin: readOrigin(options, env),
    limits: {
      maxBody: readSize('--max-body', options.maxBody) ?? defaultLimits.maxBody,
      maxConcurrent: readWhole('--max-concurrent', options.maxConcurrent, 1, 1_000_000) ?? defaultLimits.maxConcurrent,
      timeoutMs: seconds(readWhole('--timeout', options.timeout, 0, 7 * DAY_SECONDS)) ?? defaultLimits.timeoutMs,
    },
    graceMs: seconds(readWhole('--grace', options.grace, 0, DAY_SECONDS)) ?? 30_000,
    strictEnv: options.strictEnv === true,
    workers: readWhole('--workers', options.workers, 1, 128) ?? 1,
    watch: options.watch === true,
    metrics: options.metrics === true,
  };
}

const seconds = (value: number | undefined): number | undefined => (value === undefined ? undefined : value * 1000);

/** The option wins over `WF_AUTH_TOKEN`; an empty one never means "no token". */
function readToken(options: ServeOptions, env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (options.authToken !== undefined) return checkToken('--auth-token', options.authToken);
  return env.WF_AUTH_TOKEN === undefined ? undefined : checkToken('WF_AUTH_TOKEN', env.WF_AUTH_TOKEN);
}

/** An empty `WF_CORS_ORIGIN` is off: that is the safe side, and what container set-ups with an unset variable send. */
function readOrigin(options: ServeOptions, env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (options.corsOrigin !== undefined) return checkOrigin('--cors-origin', options.corsOrigin);
  if (options.cors === true) return '*';
  return env.WF_CORS_ORIGIN ? checkOrigin('WF_CORS_ORIGIN', env.WF_CORS_ORIGIN) : undefined;
}
