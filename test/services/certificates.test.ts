// Encrypted services with special certificates: authorities passed to Node.js, and services that require a client certificate.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { cli, root } from '../root.js';

const files = path.join(root, 'test/files/tls');
const workflow = path.join(root, 'test/services/files/bank.wf');
const read = (name: string): Buffer => readFileSync(path.join(files, name));

const server = createServer(
  {
    key: read('server-key.pem'),
    cert: read('server.pem'),
    ca: read('authority.pem'),
    requestCert: true,
    rejectUnauthorized: false,
  },
  (request, response) => {
    const socket = request.socket as TLSSocket; // of an HTTPS server
    const caller = socket.authorized ? socket.getPeerCertificate().subject.CN : 'nobody';
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ caller }));
  },
);
let address = '';
before(async () => {
  server.listen(0, 'localhost');
  await once(server, 'listening');
  address = `https://localhost:${(server.address() as AddressInfo).port}`; // a TCP server's address is an object
});
after(() => server.close());

async function runBank(env: Readonly<Record<string, string>>): Promise<unknown> {
  const options = { env: { PATH: process.env.PATH, HOME: process.env.HOME, BANK_URL: address, ...env } };
  const { stdout } = await promisify(execFile)(process.execPath, [cli, 'run', workflow, '--json'], options).catch(
    (error) => error,
  );
  return JSON.parse(stdout);
}

const known = { NODE_EXTRA_CA_CERTS: path.join(files, 'authority.pem') };
const ours = { CERT_FILE: path.join(files, 'client.pem'), KEY_FILE: path.join(files, 'client-key.pem') };

test('a client certificate identifies the caller', async () =>
  assert.deepEqual(await runBank({ ...known, ...ours }), { status: 'completed', outputs: { caller: 'postgres' } }));

test('does not call a service whose authority is unknown', async () =>
  assert.match(JSON.stringify(await runBank(ours)), /"status":"error".*certificate/));

test('reports a certificate and a key that do not belong together', async () =>
  assert.match(
    JSON.stringify(await runBank({ ...known, ...ours, KEY_FILE: path.join(files, 'server-key.pem') })),
    /"status":"error".*its client certificate/,
  ));
