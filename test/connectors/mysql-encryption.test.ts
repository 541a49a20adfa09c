// Encrypted connections to MySQL, where no server is needed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mysqlFailure } from '../../src/connectors/database/mysql.js';
import { databaseScene } from './database-scene.js';
import { failureOf } from './results.js';

test('does not retry an untrusted certificate, but retries a connection that broke', () => {
  const during = (message: string) => mysqlFailure(Object.assign(new Error(message), { code: 'HANDSHAKE_SSL_ERROR' }), false);
  for (const message of ['unable to verify the first certificate', "Hostname/IP does not match certificate's altnames"]) {
    const { cause, retryable } = during(message);
    assert.deepEqual([cause, retryable], ['its certificate is not trusted', false]);
  }
  assert.equal(during('Client network socket disconnected before secure TLS connection was established').retryable, true);
});

test('compares a certificate with a host name, never with an IP address', () =>
  databaseScene('mysql://root@127.0.0.1:1/test?ssl-mode=verify_identity', async (scene) => {
    const { cause, retryable } = failureOf(await scene.run('select 1'));
    assert.match(cause, /a host name/);
    assert.equal(retryable, false);
  }));
