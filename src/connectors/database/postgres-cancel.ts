// Cancels the statement of another PostgreSQL connection. The protocol requires a separate connection for this.
import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ServerAddress } from './address.js';
import type { TlsOptions } from './tls-options.js';

/** Time limit of the request, in milliseconds. */
const patience = 1_000;

/** Resolves when the server has received the request. `processId` and `secretKey` belong to the connection to cancel. */
export async function cancelStatement(
  { host, port }: ServerAddress,
  ssl: TlsOptions | false,
  processId: number,
  secretKey: number,
): Promise<void> {
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.on('error', () => {});
  let limit: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    limit = setTimeout(() => reject(new Error('The server did not take the request in time')), patience);
  });
  const ask = async (): Promise<void> => {
    await once(socket, 'connect');
    let stream: Socket = socket;
    if (ssl !== false) {
      socket.write(request(80877103));
      await once(socket, 'data');
      stream = connectTls({ ...ssl, socket, host, ...(isIP(host) === 0 ? { servername: host } : {}) });
      stream.on('error', () => {});
      await once(stream, 'secureConnect');
    }
    stream.resume();
    stream.end(request(80877102, processId, secretKey));
    // The server closes the connection after it has sent the signal.
    await once(stream, 'close');
  };
  try {
    await Promise.race([ask(), tooLate]);
  } finally {
    clearTimeout(limit);
    socket.destroy();
  }
}

/** A message without a type byte: its length, then 32-bit numbers. */
function request(...numbers: readonly number[]): Buffer {
  const message = Buffer.alloc(4 + 4 * numbers.length);
  message.writeInt32BE(message.length, 0);
  for (const [index, number] of numbers.entries()) message.writeInt32BE(number, 4 + 4 * index);
  return message;
}
