// The files that workflows may call in the playground: the examples, and those of the folder that it was started for. All are in memory.
import type { WorkflowFiles } from '../../compiler/call-tree.js';
import type { OpenFile } from '../protocol.js';

const texts = new Map<string, string>();
const encoder = new TextEncoder();

export function knowFiles(files: readonly OpenFile[]): void {
  for (const { name, text } of files) texts.set(name, text);
}

/** `a/../b.wf` → `b.wf`, as a folder would have it. */
const resolved = (target: string, from: string): string =>
  decodeURIComponent(new URL(target, `file:///${encodeURI(from)}`).pathname.slice(1));

/** @param root name of the workflow that is compiled */
export const filesFor = (root: string): WorkflowFiles => ({
  root: { path: root, file: root },
  locate(target, from) {
    const name = resolved(target, from.path);
    return { path: name, file: name };
  },
  folderOf: ({ path }) => path.split('/').slice(0, -1).join('/') || '.',
  read({ path }) {
    const text = texts.get(path);
    return text === undefined ? 'the playground has no such file' : encoder.encode(text);
  },
  readTable: () => ({ ok: false, what: 'the playground reads no files of tables' }),
});
