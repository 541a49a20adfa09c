// Runs a command with a PostgreSQL server, whose address is in WF_TEST_STORE. A server that this variable or WF_TEST_POSTGRES names is used as
// it is; otherwise one is started for the command.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { postgresAddress } from '../connectors/embedded-postgres.js';
import { root } from '../root.js';

/** `psql -q ADDRESS -c SQL`, for scripts that create databases on machines without PostgreSQL. */
const psql = `#!/usr/bin/env node
const { Client } = require(${JSON.stringify(path.join(root, 'node_modules/pg'))});
const client = new Client({ connectionString: process.argv[3] });
client.connect().then(() => client.query(process.argv[5])).then(() => client.end()).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
`;

/** An address without a database, to which names of databases are appended. */
function serverOf(address: string): string {
  const url = new URL(address);
  url.pathname = '';
  return url.href.replace(/\/$/, '');
}

const address = process.env.WF_TEST_STORE || (await postgresAddress());
const [command, ...words] = process.argv.slice(2);
if (address === undefined || command === undefined) {
  console.error(
    command === undefined ? 'Which command?' : 'There is no PostgreSQL here: name a server in WF_TEST_STORE, or run npm install.',
  );
  process.exit(1);
}
const tools = mkdtempSync(path.join(tmpdir(), 'wf-tools-'));
try {
  writeFileSync(path.join(tools, 'psql'), psql, { mode: 0o755 });
  const child = spawn(command, words, {
    stdio: 'inherit',
    // A program of this name that is installed comes first.
    env: { ...process.env, WF_TEST_STORE: serverOf(address), PATH: `${process.env.PATH}:${tools}` },
  });
  const [code] = await once(child, 'exit');
  process.exitCode = typeof code === 'number' ? code : 1;
} finally {
  rmSync(tools, { recursive: true, force: true });
}
