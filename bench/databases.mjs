// Databases of PostgreSQL for single measurements, on the server that WF_TEST_STORE or WF_TEST_POSTGRES names.
import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** The address of the server; `undefined`, with a line on the terminal, if none is named. */
export function adminAddress() {
  const admin = process.env.WF_TEST_STORE || process.env.WF_TEST_POSTGRES;
  if (admin === undefined)
    console.log('Skipped the rows of PostgreSQL: name a server in WF_TEST_STORE, or start one with node test/with-postgres.mjs.');
  return admin;
}

/** The address of a new database. */
export async function createDatabase(admin) {
  const address = new URL(admin);
  address.pathname = `/wf_bench_${randomUUID().replaceAll('-', '')}`;
  await query(admin, `CREATE DATABASE ${nameIn(address.href)}`);
  return address.href;
}

export const dropDatabase = (admin, database) => query(admin, `DROP DATABASE ${nameIn(database)} WITH (FORCE)`);

const nameIn = (database) => new URL(database).pathname.slice(1);

async function query(admin, sql) {
  const address = new URL(admin);
  if (address.pathname.length < 2) address.pathname = '/postgres';
  const client = new pg.Client({ connectionString: address.href });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}
