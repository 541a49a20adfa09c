// The parts of a declaration of `services:` in an emitted module. Types only; `types.ts` re-exports them.

/** Text that may contain environment variables: a service's address or the value of a header. */
export type EnvTemplate = readonly (string | { readonly env: string })[];

export type ServiceKind = 'api' | 'webhook' | 'ai' | 'plugin' | 'workflow' | 'person' | ConnectorKind;

/** Services reached through a driver that the host provides. */
export type ConnectorKind = 'database' | 'mail' | 'folder';

/** `with limit …`: applies to all runs of a process, or of all processes over a database. */
export interface CallLimits {
  /** Calls within any 60 seconds. */
  readonly perMinute?: number;
  readonly atOnce?: number;
}

/** The place of a call in the limits of its service. */
export interface Turn {
  /** Resolves when the call may be sent. */
  readonly turn: Promise<void>;
  /** Call once: the call has ended, or its result is no longer needed. */
  readonly leave: () => void;
}

/** @param address calls with the same address are counted together */
export type TakeTurn = (address: string, limits: CallLimits) => Turn;

/** `sign in at … as … with secret … for …`: OAuth 2.0, client credentials. */
export interface SignIn {
  readonly at: EnvTemplate;
  readonly id: EnvTemplate;
  readonly secret: EnvTemplate;
  readonly scope?: EnvTemplate;
}

/** Two files in PEM format. Their paths are relative to the workflow's folder. */
export interface ClientCertificate {
  readonly certificate: EnvTemplate;
  readonly key: EnvTemplate;
}

/** The HTTP method of a call, or what stands for one. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
