// `wf playground`: serves the playground on this machine until it is stopped, or writes it as files for any web server.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { oneLine } from '../../runtime/values/one-line.js';
import { fileFault } from '../engine/files/file-fault.js';
import type { Io } from '../engine/io.js';
import { UsageError } from '../engine/usage-error.js';
import { playgroundFiles, playgroundServer, type WorkflowFolder, workflowFolder } from '../playground/serve-playground.js';
import { listen } from '../server/process/http-server.js';
import type { Values } from './command-spec.js';

const HOST = '127.0.0.1';
const PORT = 3030;

/** @throws UsageError for wrong options, a folder that is not there, or an unavailable port */
export async function playgroundCommand(target: string, values: Values, io: Io): Promise<number> {
  const folder = target === '' ? undefined : workflowFolder(target, io.cwd);
  const canWrite = values.write === true;
  if (typeof values.out === 'string') {
    if (canWrite || values.port !== undefined)
      throw new UsageError(
        `--out writes files and starts no server, so it can't be used with ${canWrite ? '--write' : '--port'}.`,
      );
    return writeSite(values.out, folder, io);
  }
  if (canWrite && folder === undefined)
    throw new UsageError('--write needs a folder to write to.', 'For example: wf playground workflows --write');
  const server = playgroundServer({ folder, canWrite });
  const port = await listen(server, readPort(values.port), HOST);
  io.stdout.write(`The playground is at http://${HOST}:${port}/\nPress Ctrl+C to stop.\n`);
  await new Promise<void>((resolve) => io.onStop(() => resolve()));
  server.close();
  server.closeAllConnections();
  return 0;
}

function readPort(given: string | true | undefined): number {
  const port = given === undefined ? PORT : Number(given);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--port must be a whole number from 0 to 65535, but it is "${String(given)}".`);
  return port;
}

async function writeSite(out: string, folder: WorkflowFolder | undefined, io: Io): Promise<number> {
  const files = playgroundFiles();
  if (folder !== undefined)
    files.set('files.json', Buffer.from(`${JSON.stringify({ files: folder.read(), canWrite: false })}\n`));
  const full = path.resolve(io.cwd, out);
  try {
    await mkdir(full, { recursive: true });
    for (const [name, content] of files) await writeFile(path.join(full, name), content);
  } catch (error) {
    throw new UsageError(`The playground can't be written to "${out}": ${fileFault(error)}.`);
  }
  io.stdout.write(`The playground is in ${oneLine(out)}. Any web server can serve these files.\n`);
  return 0;
}
