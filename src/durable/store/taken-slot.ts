// A slot that this process has taken: what its main thread needs to know to number new runs and to recognize versions and places.
import type { Slot } from './slot.js';
import type { SqlValue } from './sqlite.js';

/** A slot that this process has taken. */
export interface TakenSlot {
  readonly slot: number;
  /** Distinguishes this ownership from earlier ones. */
  readonly epoch: number;
  readonly nextRun: number;
  readonly nextVersion: number;
  readonly versions: readonly StoredVersion[];
  readonly sites: readonly (readonly [v: number, site: number, info: string])[];
}

export interface StoredVersion {
  readonly v: number;
  readonly workflow: string;
  readonly hash: string;
  readonly info: string;
}

/** Begins this process's ownership of a slot. */
export function beginSlot(slot: Slot): TakenSlot {
  slot.begin();
  const { n, v } = slot.next();
  const text = (value: SqlValue | undefined): string => String(value ?? '');
  return {
    slot: slot.number,
    epoch: slot.epoch,
    nextRun: n,
    nextVersion: v,
    versions: slot
      .prepared('SELECT v, workflow, hash, info FROM versions')
      .all()
      .map((row) => ({ v: Number(row.v), workflow: text(row.workflow), hash: text(row.hash), info: text(row.info) })),
    sites: slot
      .prepared('SELECT v, site, info FROM sites')
      .all()
      .map((row) => [Number(row.v), Number(row.site), text(row.info)] as const),
  };
}
