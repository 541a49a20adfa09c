// The declarations of `services:` in an emitted module. Types only; `types.ts` re-exports them.

import type { WorkflowModule } from '../types.js';

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

/** One declaration of `services:` in the emitted module. */
export interface ServiceSpec {
  readonly name: string;
  readonly kind: ServiceKind;
  /** API, webhook, database, mail server, folder: its address or path. */
  readonly url?: EnvTemplate;
  /** API and webhook. If a header is declared twice, only the last one is here. */
  readonly headers?: readonly (readonly [name: string, value: EnvTemplate])[];
  /** Mail server: the sender. */
  readonly from?: EnvTemplate;
  /** Person: the mail server that sends the questions. */
  readonly notifiedBy?: () => ServiceSpec;
  /** API. */
  readonly signIn?: SignIn;
  /** API and webhook. */
  readonly clientCertificate?: ClientCertificate;
  readonly limits?: CallLimits;
  /** Time limit of one attempt in milliseconds; absent for the default of the kind. */
  readonly timeoutMs?: number;
  /** AI. */
  readonly provider?: 'openai' | 'anthropic' | 'ollama';
  /** AI: the part after the provider. */
  readonly model?: EnvTemplate;
  /** Workflow: compiled with its caller; absent if that failed. */
  readonly called?: WorkflowModule;
  /** Workflow: from the folder of the caller to its own; absent if they are the same. */
  readonly folder?: string;
  /** Plugin: as written in the file, relative to the `.wf` file, or a package name. */
  readonly module?: string;
  /** Plugin of a built module: bundled. Otherwise the run's `loadPlugin` loads it. */
  readonly load?: () => Promise<unknown>;
}
