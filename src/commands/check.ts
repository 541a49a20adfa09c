// `wf check`: files and folders in, diagnostics out in the form that was asked for.
import path from 'node:path';
import { checkFile } from '../compiler/compile.js';
import { titles } from '../compiler/diagnostics/catalogue/index.js';
import type { LocatedDiagnostic } from '../compiler/diagnostics/diagnostic.js';
import { renderGithub } from '../compiler/diagnostics/render-github.js';
import { renderJson } from '../compiler/diagnostics/render-json.js';
import { renderSarif } from '../compiler/diagnostics/render-sarif.js';
import { renderText } from '../compiler/diagnostics/render-text.js';
import { counted, summary } from '../compiler/diagnostics/summary.js';
import { findWorkflows } from '../engine/find-workflows.js';
import { readWorkflow } from '../engine/read-workflow.js';
import { UsageError } from '../engine/usage-error.js';
import type { Values } from './command-table.js';
import type { Io } from './io.js';
import { createProgress } from './progress.js';

const FORMATS = ['text', 'json', 'github', 'sarif'];

export async function checkCommand(targets: readonly string[], values: Values, io: Io): Promise<number> {
  const format = values.format ?? 'text';
  if (typeof format !== 'string' || !FORMATS.includes(format))
    throw new UsageError(`--format must be one of ${FORMATS.join(', ')}, not "${String(format)}".`);
  const found: LocatedDiagnostic[] = [];
  const lines: string[] = [];
  const all = sources(targets, values, io);
  const progress = createProgress(io, 100);
  for (const [index, source] of all.entries()) {
    progress.update(0, 'checked', index, all.length);
    const { diagnostics } = checkFile(await source.read(), source.file);
    for (const diagnostic of diagnostics) found.push(diagnostic);
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
    const text =
      format === 'json'
        ? renderJson(found)
        : format === 'github'
          ? renderGithub(found)
          : renderSarif(found, { titles, version: WF_VERSION });
    if (text !== '') io.stdout.write(`${text}\n`);
  }
  return found.some(({ severity }) => severity === 'error' || values.strict === true) ? 1 : 0;
}

interface Source {
  readonly file: string;
  readonly read: () => Uint8Array | Promise<Uint8Array>;
}

function sources(targets: readonly string[], values: Values, io: Io): Source[] {
  // A file that a folder holds as well, or that is named twice, is checked once.
  const seen = new Set<string>();
  return targets.flatMap((target): Source[] => {
    if (target === '-')
      return [
        { file: typeof values.stdinFilename === 'string' ? values.stdinFilename : 'standard input', read: () => readAll(io) },
      ];
    const files = findWorkflows(target, io.cwd).filter((file) => !seen.has(path.resolve(io.cwd, file)));
    for (const file of files) seen.add(path.resolve(io.cwd, file));
    return files.map((file) => ({ file, read: () => readWorkflow(file, io.cwd) }));
  });
}

async function readAll(io: Io): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
