// Changes that people and programs make to runs, as they are recorded: what, when, by whom, and which way they came in.
import { toRunId } from './run-ids.js';

/** The way in which someone reaches a store. */
type WayIn = (typeof waysIn)[number];

export const waysIn = ['http', 'command line', 'console'] as const;

/** The person or program that makes a change. */
export interface Actor {
  /** The name of a token, of a user that a proxy names, or of the system's user; absent if nothing names them. */
  readonly name?: string | undefined;
  /** Such as `operator`. On the command line, whoever may read the store may do everything. */
  readonly role?: string | undefined;
  readonly way: WayIn;
}

export type ChangeAction = (typeof changeActions)[number];

export const changeActions = [
  'cancel',
  'resume',
  'retry',
  'skip',
  'rerun',
  'answer',
  'assign',
  'message',
  'comment',
  'bulk',
  'erase',
  'give-up',
  'rekey',
  'prune',
  'import',
  'token',
] as const;

export interface NewChange {
  readonly action: ChangeAction;
  readonly by: Actor;
  /** 32 hexadecimal digits; absent for changes of the whole store. */
  readonly run?: string | undefined;
  /** The answer, the name of the message, the id of the rerun, or what else it was about. */
  readonly about?: string | undefined;
}

/** A change that someone asks for. */
export interface AskedChange {
  readonly action: ChangeAction;
  /** Not recorded if nobody is named: the engine's own work. */
  readonly by: Actor | undefined;
  /** As it was given; what is not the id of a run is not recorded. */
  readonly run?: string;
  readonly about?: string | undefined;
}

/** Whether a change was made, or the text that says more about it. */
export type WasMade = boolean | { readonly about: string };

/** A part of the record. */
export interface ChangesQuery {
  readonly run?: string | undefined;
  /** Milliseconds since 1970. */
  readonly since?: number;
}

/** The stored part of a change, besides its time and run. */
export interface ChangeBody extends Omit<Actor, 'way'> {
  readonly way: WayIn;
  readonly action: ChangeAction;
  readonly about?: string | undefined;
}

export interface ChangeRow extends ChangeBody {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly run: string | undefined;
}

/** A change for front-ends. */
export interface ChangeView {
  /** ISO 8601 UTC. */
  readonly time: string;
  readonly name?: string;
  readonly role?: string;
  readonly way: WayIn;
  readonly action: ChangeAction;
  readonly run?: string;
  readonly about?: string;
}

/** Milliseconds that changes are kept, at least: longer than most runs. */
export const CHANGE_LIFE_MS = 400 * 24 * 3_600_000;

/** The name of a decision's maker, for people; `undefined` if nothing names them. */
export const nameOf = ({ name, way }: Actor): string | undefined =>
  name ?? (way === 'command line' ? 'the command line' : undefined);

export const toChangeView = ({ at, run, name, role, way, action, about }: ChangeRow): ChangeView => ({
  time: new Date(at).toISOString(),
  ...(name === undefined ? {} : { name }),
  ...(role === undefined ? {} : { role }),
  way,
  action,
  ...(run === undefined ? {} : { run: toRunId(run) }),
  ...(about === undefined ? {} : { about }),
});
