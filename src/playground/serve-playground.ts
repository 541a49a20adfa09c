// Serves the playground on this machine: the files of the build, and the workflows of a folder to begin with. Takes requests from this
// machine only, and writes nothing unless it was started to.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import path from 'node:path';
import { isLocalRequest } from '../access/foreign-pages.js';
import { distFolder } from '../dist-folder.js';
import { writeWhole } from '../engine/files/write-whole.js';
import { filesIn } from '../engine/prepare/find-workflows.js';
import { UsageError } from '../engine/usage-error.js';
import type { OpenFile } from './protocol.js';

interface PlaygroundOptions {
  /** `undefined`: only the examples. */
  readonly folder: WorkflowFolder | undefined;
  readonly canWrite: boolean;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.bin': 'application/octet-stream',
};

/** Bytes of a workflow that is saved. */
const MOST_BYTES = 2_000_000;

export function playgroundServer({ folder, canWrite }: PlaygroundOptions): Server {
  const site = playgroundFiles();
  const policy =
    /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(site.get('index.html')?.toString() ?? '')?.[1] ?? '';
  const headers = {
    // A page can't say itself who may show it in a frame.
    'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
  const send = (response: ServerResponse, status: number, name: string, body: string | Buffer): void => {
    const isKept = /-[0-9a-f]{10}\.\w+$/.test(name);
    response.writeHead(status, {
      ...headers,
      'Content-Type': types[path.extname(name)] ?? 'text/plain; charset=utf-8',
      'Cache-Control': isKept ? 'max-age=31536000, immutable' : 'no-cache',
    });
    response.end(body);
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const say = (status: number, text: string): void => send(response, status, '.txt', text);
    if (!isLocalRequest(request)) return say(403, 'The playground answers only to this machine.');
    const name = nameIn(request.url ?? '/');
    if (request.method === 'PUT' && name?.startsWith('files/')) return save(request, name.slice('files/'.length), say);
    if (request.method !== 'GET' && request.method !== 'HEAD') return say(405, 'The playground knows only GET here.');
    if (name === 'files.json') return send(response, 200, name, JSON.stringify({ files: folder?.read() ?? [], canWrite }));
    const body = site.get(name ?? '');
    return body === undefined ? say(404, 'There is no such file.') : send(response, 200, name ?? '', body);
  };
  /** Only over files that the playground shows: nobody can be led to write another one. */
  const save = async (request: IncomingMessage, name: string, say: (status: number, text: string) => void): Promise<void> => {
    if (!canWrite || folder === undefined) return say(403, 'the playground was started without --write');
    if (!folder.read().some((file) => file.name === name)) return say(404, 'the folder has no such file');
    const text = await bodyOf(request);
    if (text === undefined) return say(413, 'it is too large');
    await writeWhole(folder.pathOf(name), text);
    say(200, 'Saved.');
  };
  return createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else
        send(
          response,
          500,
          '.txt',
          error instanceof Error && 'code' in error ? `the file system says ${String(error.code)}` : 'unknown',
        );
    });
  });
}

/** The name of a file in an address; `undefined` if its encoding is invalid. */
function nameIn(url: string): string | undefined {
  try {
    const name = decodeURIComponent(new URL(url, 'http://localhost').pathname.slice(1));
    return name === '' ? 'index.html' : name;
  } catch {
    return undefined;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > MOST_BYTES) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** By name. */
export function playgroundFiles(): Map<string, Buffer> {
  const folder = path.join(distFolder, 'playground');
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name))]));
}

export interface WorkflowFolder {
  /** The workflows as they are now. */
  read(): OpenFile[];
  pathOf(name: string): string;
}

const MOST_FILES = 500;
const LARGEST_FILE = 1_000_000;

/** @throws UsageError if there is no such folder, or no workflow in it */
export function workflowFolder(folder: string, cwd: string): WorkflowFolder {
  const full = path.resolve(cwd, folder);
  if (statSync(full, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(
      `There is no folder "${folder}".`,
      'wf playground takes a folder with workflows, or nothing for the examples alone.',
    );
  const read = (): OpenFile[] =>
    filesIn('.', full, '.wf')
      .slice(0, MOST_FILES)
      .flatMap((name) => {
        const file = path.join(full, name);
        if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true || statSync(file).size > LARGEST_FILE) return [];
        return [{ name: name.split(path.sep).join('/'), text: readFileSync(file, 'utf8') }];
      });
  if (read().length === 0) throw new UsageError(`The folder "${folder}" contains no .wf files.`);
  return { read, pathOf: (name) => path.join(full, name) };
}
