// Keeps processes with a former key out of a store on PostgreSQL. Each connection holds a lock as long as it is open, and the key is changed
// only while no other process holds one. A connection opened later finds the new key, also if its process slept meanwhile.
import type { ClientBase } from 'pg';
import { storeLocks } from './store-tables.js';

/** The key of the store is no longer the one that this process opened it with. Nothing that it seals may be written. */
export class KeyChanged extends Error {
  constructor() {
    super('The key of the store was changed meanwhile.');
  }
}

export class KeyGuard {
  #secret: Uint8Array | undefined;

  /** @param secret the secret of the store in stored form, which differs for each key */
  expect(secret: Uint8Array): void {
    this.#secret = secret;
  }

  /** Lets a new connection in. Waits while the key is being changed. @throws KeyChanged */
  async admit(client: ClientBase): Promise<void> {
    await client.query('SELECT pg_advisory_lock_shared($1)', [storeLocks.key]);
    if (this.#secret === undefined) return;
    const { rows } = await client.query(`SELECT value FROM wf.meta WHERE key = 'secret'`);
    const found: unknown = rows[0]?.value;
    if (!(found instanceof Uint8Array) || Buffer.compare(found, this.#secret) !== 0) throw new KeyChanged();
  }
}
