// Requests to runs from anywhere: to be cancelled or to continue, and messages and answers for them. Each process picks up those for its
// own runs. A row stays until its content is in the journal.
import type { SharedFile } from './shared-file.js';

export const inboxKinds = { cancel: 1, resume: 2, message: 3, answer: 4 } as const;

export type InboxKind = (typeof inboxKinds)[keyof typeof inboxKinds];

export interface InboxRow {
  readonly id: number;
  /** 32 hexadecimal digits. */
  readonly run: string;
  readonly kind: InboxKind;
  /** The effect that it is for. */
  readonly place: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Rows that arrived after this one. Their content is read when it is used. */
export function inboxAfter(shared: SharedFile, id: number): InboxRow[] {
  return shared
    .all('SELECT id, lower(hex(run)) AS run, kind, place, at FROM inbox WHERE id > ? ORDER BY id LIMIT 1000', id)
    .map((row) => ({
      id: Number(row.id),
      run: String(row.run),
      kind: row.kind as InboxKind, // only these are written
      place: row.place === null ? null : String(row.place),
      at: Number(row.at),
    }));
}

export function addToInbox(shared: SharedFile, run: string, kind: InboxKind, at: number): Promise<void> {
  return shared.change(() => {
    shared.run('INSERT INTO inbox(run, kind, at) VALUES(unhex(?), ?, ?)', run, kind, at);
  });
}

export function removeFromInbox(shared: SharedFile, ids: readonly number[]): Promise<void> {
  return shared.change(() => {
    for (const id of ids) shared.run('DELETE FROM inbox WHERE id = ?', id);
  });
}
