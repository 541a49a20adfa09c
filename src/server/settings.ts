// Validates the options of `wf serve` and its environment variables, so that a mistake shows up at startup rather than as failing requests.
import type { Environment } from '../../runtime/types.js';
import { isLoopbackHost } from '../access/foreign-pages.js';
import type { OidcSettings } from '../access/oidc.js';
import type { RateLimit } from '../access/rate-limit.js';
import type { LogFormat } from '../engine/records/printer.js';
import {
  readAlert,
  readKeep,
  readKeepMessages,
  readLogFormat,
  readPublicUrl,
  readRunMemory,
  readSize,
  readStorePlace,
  readWhole,
} from '../engine/shared-options.js';
import { UsageError } from '../engine/usage-error.js';

/** As the command line passes them: text, or `true` for a switch. */
export interface ServeOptions {
  readonly port?: string;
  readonly host?: string;
  readonly verbose?: boolean;
  readonly logFormat?: string;
  readonly mock?: boolean;
  readonly mocks?: string;
  readonly authToken?: string;
  readonly tokens?: string;
  readonly cors?: boolean;
  readonly corsOrigin?: string;
  readonly allowOrigin?: string;
  readonly maxBody?: string;
  readonly timeout?: string;
  readonly maxConcurrent?: string;
  readonly maxRunMemory?: string;
  readonly rateLimit?: string;
  readonly trustProxy?: string;
  readonly otel?: boolean;
  readonly outputLog?: string;
  readonly alert?: string;
  readonly grace?: string;
  readonly drain?: string;
  readonly strictEnv?: boolean;
  readonly workers?: string;
  readonly watch?: boolean;
  readonly metrics?: boolean;
  readonly schedules?: boolean;
  readonly catchUp?: boolean;
  readonly store?: string;
  readonly operatorToken?: string;
  readonly console?: boolean;
  readonly publicUrl?: string;
  readonly userHeader?: string;
  readonly oidc?: string;
  readonly oidcRoles?: string;
  readonly keep?: string;
  readonly keepMessages?: string;
}

/** Limits of a running server, in milliseconds and bytes. */
export interface Limits {
  readonly maxBody: number;
  readonly maxConcurrent: number;
  /** Time limit of a run; 0 for none. `undefined`: the workflow's own `timeout:`, or five minutes. */
  readonly timeoutMs: number | undefined;
}

export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly verbose: boolean;
  readonly logFormat: LogFormat;
  readonly mock: boolean;
  /** File with mock answers. */
  readonly mocks: string | undefined;
  readonly token: string | undefined;
  /** File with more tokens, as it was named. */
  readonly tokens: string | undefined;
  /** `*`, one origin, or `undefined` to disable CORS. */
  readonly corsOrigin: string | undefined;
  /** Origins whose pages may start runs although there is no token; `*` for all. */
  readonly allowedOrigins: readonly string[];
  readonly limits: Limits;
  /** Requests of one sender to one worker. */
  readonly rateLimit: RateLimit | undefined;
  /** Bytes that the values of a run may take; `undefined` for the usual part of the heap. */
  readonly maxRunMemory: number | undefined;
  /** Proxies in front of the server whose `X-Forwarded-…` headers count. */
  readonly trustProxy: number;
  /** Send traces even where no variable names a collector. */
  readonly otel: boolean;
  /** Folder for the logs of runs; `undefined` for none. */
  readonly outputLog: string | undefined;
  /** Webhook that is told of failures; `undefined` for none. A secret. */
  readonly alert: string | undefined;
  /** Time for runs to finish once the server stops. */
  readonly graceMs: number;
  /** Between the signal to stop and the end of service, in milliseconds. */
  readonly drainMs: number;
  readonly strictEnv: boolean;
  readonly workers: number;
  readonly watch: boolean;
  readonly metrics: boolean;
  /** Run workflows at the due times of their own schedules. */
  readonly schedules: boolean;
  /** At startup, run the last missed due time of each workflow. */
  readonly catchUp: boolean;
  /** Where to store runs: a folder, or the address of a database. `undefined`: nowhere. */
  readonly store: string | undefined;
  readonly operatorToken: string | undefined;
  readonly console: boolean;
  /** Start of the addresses that the server hands out, without a trailing slash; `undefined` for the address that the server listens on. */
  readonly publicUrl: string | undefined;
  /** Header in which a trusted proxy names the user. */
  readonly userHeader: string | undefined;
  /** The OpenID provider that signs people in; `undefined` for none. */
  readonly oidc: OidcSettings | undefined;
  /** Time that finished runs are kept, in milliseconds; `undefined` for no limit. */
  readonly keepMs: number | undefined;
  /** Time that messages are kept for which no run waits, in milliseconds; `undefined` for the default. */
  readonly keepMessagesMs: number | undefined;
}

const DAY_SECONDS = 86_400;

export const defaultLimits: Limits = { maxBody: 1024 * 1024, maxConcurrent: 1000, timeoutMs: undefined };

/** @throws UsageError that names the option */
export function readSettings(options: ServeOptions, env: Environment): Settings {
  const settings: Settings = {
    port: readPort(options, env),
    host: readHost(options, env),
    verbose: options.verbose === true,
    logFormat: readLogFormat(options.logFormat),
    mock: isMock(options),
    mocks: options.mocks,
    token: readToken(options, env),
    tokens: options.tokens ?? (env.WF_TOKENS?.trim() || undefined),
    corsOrigin: readOrigin(options, env),
    allowedOrigins: (options.allowOrigin?.split(',') ?? []).map((origin) => checkOrigin('--allow-origin', origin.trim())),
    limits: {
      maxBody: readSize('--max-body', options.maxBody) ?? defaultLimits.maxBody,
      maxConcurrent: readWhole('--max-concurrent', options.maxConcurrent, 1, 1_000_000) ?? defaultLimits.maxConcurrent,
      timeoutMs: seconds(readWhole('--timeout', options.timeout, 0, 7 * DAY_SECONDS)) ?? defaultLimits.timeoutMs,
    },
    rateLimit: readRate(options.rateLimit),
    maxRunMemory: readRunMemory(options.maxRunMemory),
    trustProxy: readWhole('--trust-proxy', options.trustProxy, 0, 10) ?? 0,
    otel: options.otel === true,
    outputLog: options.outputLog,
    alert: readAlert(options.alert, env),
    drainMs: readDrain(options.drain),
    graceMs: seconds(readWhole('--grace', options.grace, 0, DAY_SECONDS)) ?? 30_000,
    strictEnv: options.strictEnv === true,
    workers: readWhole('--workers', options.workers, 1, 128) ?? 1,
    watch: options.watch === true,
    metrics: options.metrics === true,
    schedules: options.schedules === true,
    catchUp: options.catchUp === true,
    ...readStoreSettings(options, env),
  };
  checkSchedules(settings);
  return settings;
}

/** @throws UsageError if nothing can decide which process runs what, or what was missed */
function checkSchedules({ schedules, catchUp, workers, store, mock }: Settings): void {
  const keeps = store !== undefined && !mock;
  if (schedules && workers > 1 && !keeps)
    throw new UsageError(
      '--schedules with --workers needs a store, so that each due time is one run and not one in each worker.',
      'Add --store ./runs, or leave out --workers.',
    );
  if (catchUp && !schedules) throw new UsageError('--catch-up needs --schedules.');
  if (catchUp && !keeps)
    throw new UsageError('--catch-up needs a store, which records the due times that have passed.', 'Add --store ./runs.');
}

const windows: Readonly<Record<string, number>> = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** `100/minute`. */
function readRate(text: string | undefined): RateLimit | undefined {
  if (text === undefined) return undefined;
  const [, digits, unit = ''] = /^([1-9]\d{0,8})\/(second|minute|hour|day)$/.exec(text) ?? [];
  const windowMs = windows[unit];
  if (windowMs !== undefined) return { requests: Number(digits), windowMs };
  throw new UsageError(
    `--rate-limit must be a number of requests per second, minute, hour or day, not ${JSON.stringify(text)}.`,
    'Write --rate-limit 100/minute, for example.',
  );
}

/** `5s` or `5`. */
function readDrain(text: string | undefined): number {
  if (text !== undefined && !/^\d{1,5}s?$/.test(text))
    throw new UsageError(`--drain must be a number of seconds, such as 5s, not ${JSON.stringify(text)}.`);
  return seconds(readWhole('--drain', text?.replace('s', ''), 0, DAY_SECONDS)) ?? 0;
}

/** Container platforms set `PORT`. An empty variable counts as unset. */
const readPort = (options: ServeOptions, env: Environment): number =>
  readWhole('--port', options.port, 0, 65_535) ?? readWhole('PORT', env.PORT?.trim() || undefined, 0, 65_535) ?? 3000;

/** By default, only this machine: a port that everyone can reach must be a decision. */
function readHost(options: ServeOptions, env: Environment): string {
  if (options.host?.trim() === '') {
    throw new UsageError(
      '--host is empty.',
      'Leave it out to listen on this machine only, or use 0.0.0.0 to listen on all of its addresses.',
    );
  }
  // Container platforms pass an unset variable as an empty one.
  const host = options.host?.trim() ?? (env.WF_HOST?.trim() || '127.0.0.1');
  // IPv6 addresses are often written as in a URL.
  return /^\[.+\]$/.test(host) ? host.slice(1, -1) : host;
}

const seconds = (value: number | undefined): number | undefined => (value === undefined ? undefined : value * 1000);

/** The option takes precedence over `WF_AUTH_TOKEN`. An empty token is an error and never means "no token". */
function readToken(options: ServeOptions, env: Environment): string | undefined {
  if (options.authToken !== undefined) return checkToken('--auth-token', options.authToken);
  return env.WF_AUTH_TOKEN === undefined ? undefined : checkToken('WF_AUTH_TOKEN', env.WF_AUTH_TOKEN);
}

const isMock = ({ mock, mocks }: ServeOptions): boolean => mock === true || mocks !== undefined;

/** An empty `WF_CORS_ORIGIN` disables CORS: that is safe, and container platforms pass an unset variable as an empty one. */
function readOrigin(options: ServeOptions, env: Environment): string | undefined {
  if (options.corsOrigin !== undefined) return checkOrigin('--cors-origin', options.corsOrigin);
  if (options.cors === true) return '*';
  return env.WF_CORS_ORIGIN ? checkOrigin('WF_CORS_ORIGIN', env.WF_CORS_ORIGIN) : undefined;
}

type StoreSettings = Pick<
  Settings,
  'store' | 'operatorToken' | 'console' | 'publicUrl' | 'userHeader' | 'oidc' | 'keepMs' | 'keepMessagesMs'
>;

/** @throws UsageError that names the option, also if there is a console but no store */
function readStoreSettings(options: ServeOptions, env: Environment): StoreSettings {
  const store = readStorePlace(options.store, env);
  if (options.console === true && store === undefined)
    throw new UsageError(
      '--console needs a store: it shows the runs that are kept there.',
      'Add --store ./runs, or set WF_STORE.',
    );
  if (options.console === true && isMock(options))
    throw new UsageError(
      '--console has nothing to show with mock services: their runs are never kept.',
      'Leave out --mock and --mocks, or --console.',
    );
  return {
    store,
    operatorToken: readOperatorToken(options, env),
    console: options.console === true,
    publicUrl: readPublicUrl(options.publicUrl, env),
    userHeader: readHeaderName(options.userHeader),
    oidc: readOidc(options, env),
    keepMs: readKeep('--keep', options.keep),
    keepMessagesMs: readKeepMessages('--keep-messages', options.keepMessages),
  };
}

/** The option takes precedence over `WF_OPERATOR_TOKEN`. An empty one is an error and never means "no token". */
function readOperatorToken(options: ServeOptions, env: Environment): string | undefined {
  if (options.operatorToken !== undefined) return checkToken('--operator-token', options.operatorToken);
  return env.WF_OPERATOR_TOKEN === undefined ? undefined : checkToken('WF_OPERATOR_TOKEN', env.WF_OPERATOR_TOKEN);
}

/** @throws UsageError that names what is missing, and never shows the secret */
function readOidc({ oidc, oidcRoles, console, userHeader }: ServeOptions, env: Environment): OidcSettings | undefined {
  const roles = oidcRoles ?? (env.WF_OIDC_ROLES || undefined);
  const issuer = (oidc ?? env.WF_OIDC)?.trim() || undefined;
  if (issuer === undefined) {
    if (oidc === undefined && oidcRoles === undefined) return undefined;
    throw new UsageError(`${oidc === undefined ? '--oidc-roles needs --oidc' : '--oidc is empty'}.`, OIDC_EXAMPLE);
  }
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (url === undefined || !isSafe || url.username !== '' || url.hash !== '')
    throw new UsageError(
      `--oidc must be the https address of an OpenID provider, not ${JSON.stringify(issuer)}. Only one on this machine may use http.`,
      OIDC_EXAMPLE,
    );
  if (console !== true) throw new UsageError('--oidc needs --console: it signs people in to the console.', OIDC_EXAMPLE);
  if (userHeader !== undefined)
    throw new UsageError('--oidc and --user-header both say who someone is.', 'Leave out the one that does not sign people in.');
  if (roles === undefined) throw new UsageError('--oidc needs --oidc-roles, a file that gives groups their roles.', OIDC_EXAMPLE);
  const clientId = env.WF_OIDC_CLIENT_ID?.trim() || undefined;
  if (clientId === undefined)
    throw new UsageError(
      '--oidc needs WF_OIDC_CLIENT_ID, the name under which the provider knows this server.',
      'Set it, and WF_OIDC_CLIENT_SECRET if the provider issued a secret.',
    );
  return { issuer, clientId, clientSecret: env.WF_OIDC_CLIENT_SECRET?.trim() || undefined, roles };
}

const OIDC_EXAMPLE = 'Write --console --oidc https://login.example.com/realms/acme --oidc-roles roles.json, for example.';

function readHeaderName(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(text))
    throw new UsageError(`--user-header must be the name of a header, such as X-Forwarded-User, not ${JSON.stringify(text)}.`);
  return text;
}

/**
 * Returns the token unchanged. The message never shows it.
 * @throws UsageError if it is empty or contains characters that no client could send
 */
function checkToken(source: string, token: string): string {
  if (token.trim() === '') {
    throw new UsageError(`The token in ${source} is empty.`, 'Set a token, or remove the setting to serve without one.');
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError(
      `The token in ${source} contains a space, a line break or another character that is not allowed in an Authorization header.`,
      'Use only letters, digits and punctuation. A line break often comes from reading the token from a file.',
    );
  }
  return token;
}

/**
 * Accepts `*` or one origin, exactly as browsers write it.
 * @throws UsageError for anything else, because it would never match
 */
function checkOrigin(source: string, text: string): string {
  if (text === '*') return text;
  const origin = originOf(text);
  if (origin === text) return text;
  const shown = JSON.stringify(text);
  if (/[\s,]/.test(text)) throw new UsageError(`${source} takes one origin, not ${shown}.`, 'To allow every origin, use --cors.');
  throw new UsageError(
    `${source} must be an origin such as https://app.example, not ${shown}.`,
    origin === undefined
      ? 'An origin consists of a scheme and a host, and a port unless it is the default one.'
      : `Did you mean ${JSON.stringify(origin)}?`,
  );
}

function originOf(text: string): string | undefined {
  try {
    const { origin } = new URL(text);
    return origin === 'null' ? undefined : origin;
  } catch {
    return undefined;
  }
}
