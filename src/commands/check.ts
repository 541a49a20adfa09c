// `wf check`: checks files and folders and prints the diagnostics in the requested format.
import path from 'node:path';
import { checkFile } from '../compiler/compile.js';
import type { LocatedDiagnostic } from '../compiler/diagnostics/diagnostic.js';
import { renderText } from '../compiler/diagnostics/render-text.js';
import { counted, summary } from '../compiler/diagnostics/summary.js';
import type { Io } from '../engine/io.js';
import { findWorkflows } from '../engine/prepare/find-workflows.js';
import { readWorkflow } from '../engine/prepare/read-workflow.js';
import { workflowFiles } from '../engine/prepare/workflow-files.js';
import { UsageError } from '../engine/usage-error.js';
import type { Values } from './command-table.js';
import { createProgress } from './progress.js';

type Render = (found: readonly LocatedDiagnostic[]) => string;

/** The formats for programs. Each renderer is loaded on demand. */
const renderers: Readonly<Record<string, () => Promise<Render>>> = {
  json: async () => (await import('../compiler/diagnostics/render-json.js')).renderJson,
  github: async () => (await import('../compiler/diagnostics/render-github.js')).renderGithub,
  async sarif() {
    const { renderSarif } = await import('../compiler/diagnostics/render-sarif.js');
    const { titles } = await import('../compiler/diagnostics/catalogue/titles.js');
    return (found) => renderSarif(found, { titles, version: WF_VERSION });
  },
};
const FORMATS = ['text', ...Object.keys(renderers)];

export async function checkCommand(targets: readonly string[], values: Values, io: Io): Promise<number> {
  const format = values.format ?? 'text';
  if (typeof format !== 'string' || !FORMATS.includes(format))
    throw new UsageError(`--format must be one of ${FORMATS.join(', ')}, not "${String(format)}".`);
  const found: LocatedDiagnostic[] = [];
  const reported = new Set<string>();
  const lines: string[] = [];
  const all = sources(targets, values, io);
  const progress = createProgress(io, 100);
  for (const [index, source] of all.entries()) {
    progress.update(0, 'checked', index, all.length);
    const { diagnostics } = checkFile(await source.read(), source.file, { files: workflowFiles(source.file, io.cwd) });
    for (const diagnostic of diagnostics) if (isNew(reported, diagnostic)) found.push(diagnostic);
    const errors = diagnostics.some(({ severity }) => severity === 'error' || values.strict === true);
    if (!errors && values.quiet !== true)
      lines.push(
        `${source.file} is valid, no errors found${diagnostics.length === 0 ? '' : ` (${counted(diagnostics.length, 'warning')})`}.`,
      );
  }
  progress.clear();
  if (format === 'text') {
    if (lines.length > 0) io.stdout.write(`${lines.join('\n')}\n`);
    if (found.length > 0) io.stderr.write(`${renderText(found, { colour: io.colour.stderr })}\n\n${summary(found)}\n`);
  } else {
    const text = (await renderers[format]?.())?.(found) ?? '';
    if (text !== '') io.stdout.write(`${text}\n`);
  }
  return found.some(({ severity }) => severity === 'error' || values.strict === true) ? 1 : 0;
}

/** A called workflow with errors appears in the report of each caller. */
function isNew(reported: Set<string>, { file, line, column, code, message }: LocatedDiagnostic): boolean {
  const key = JSON.stringify([path.normalize(file), line, column, code, message]);
  if (reported.has(key)) return false;
  reported.add(key);
  return true;
}

interface Source {
  readonly file: string;
  readonly read: () => Uint8Array | Promise<Uint8Array>;
}

function sources(targets: readonly string[], values: Values, io: Io): Source[] {
  // A file is checked once, even if it is named twice or is also part of a named folder.
  const seen = new Set<string>();
  return targets.flatMap((target): Source[] => {
    if (target === '-')
      return [
        { file: typeof values.stdinFilename === 'string' ? values.stdinFilename : 'standard input', read: () => readAll(io) },
      ];
    const named = findWorkflows(target, io.cwd);
    if (named[0] === target && !target.endsWith('.wf'))
      throw new UsageError(
        `${target} is not a workflow: its name must end in .wf.`,
        'To check text from elsewhere, pass it on standard input: wf check - < notes.txt',
      );
    const files = named.filter((file) => !seen.has(path.resolve(io.cwd, file)));
    for (const file of files) seen.add(path.resolve(io.cwd, file));
    return files.map((file) => ({ file, read: () => readWorkflow(file, io.cwd) }));
  });
}

async function readAll(io: Io): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
