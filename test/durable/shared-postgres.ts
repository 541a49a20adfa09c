// Runs a command, such as the test runner, with what all its test files share: a PostgreSQL server, and on it a database with the tables of a
// store, which tests copy. To start both takes longer than most files that need them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { postgresAddress } from '../connectors/embedded-postgres.js';
import { dropTemplate, storeTemplate } from './test-database.js';

const [command = '', ...words] = process.argv.slice(2);
const env = { ...process.env };
// A server that somebody named is shared anyway.
if (!env.WF_TEST_STORE && !env.WF_TEST_POSTGRES) {
  const address = await postgresAddress();
  if (address !== undefined) Object.assign(env, { WF_TEST_SHARED_POSTGRES: address });
  Object.assign(process.env, env);
}
const template = await storeTemplate();
const child = spawn(command, words, {
  stdio: 'inherit',
  env: { ...env, ...(template === undefined ? {} : { WF_TEST_TEMPLATE: template }) },
});
// The command gets them as well, and ends; then the server does.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
const [code] = await once(child, 'exit');
await dropTemplate();
process.exitCode = typeof code === 'number' ? code : 1;
