// `wf build`: builds workflow files into modules and a manifest. Writes nothing unless every file is valid.
import { counted } from '../../runtime/texts/words.js';
import { oneLine } from '../../runtime/values/one-line.js';
import { renderText, summary } from '../compiler/diagnostics/render-text.js';
import type { Io } from '../engine/io.js';
import { buildWorkflows } from '../engine/prepare/build-workflows.js';
import { findWorkflows } from '../engine/prepare/find-workflows.js';
import { UsageError } from '../engine/usage-error.js';
import type { Values } from './command-spec.js';

export async function buildCommand(targets: readonly string[], values: Values, io: Io): Promise<number> {
  const files = targets.flatMap((target) => findWorkflows(target, io.cwd));
  const target = typeof values.target === 'string' ? values.target : 'node18';
  if (!/^node\d+(\.\d+)*$/.test(target))
    throw new UsageError(`--target must be a version of Node.js such as node18, not "${target}".`);
  const out = typeof values.out === 'string' ? values.out : 'dist-wf';
  if (out === '') throw new UsageError('--out needs the name of a folder.');
  if (/\.[cm]?js$/i.test(out))
    throw new UsageError(
      `--out is the folder for the modules, and "${out}" looks like the name of a file.`,
      'Each module is named after its workflow: order.wf becomes order.mjs in that folder.',
    );
  const built = await buildWorkflows(files, { cwd: io.cwd, out, minify: values.minify === true, target });
  if (built.diagnostics.length > 0)
    io.stderr.write(`${renderText(built.diagnostics, { colour: io.colour.stderr })}\n\n${summary(built.diagnostics)}\n`);
  if (!built.ok) return 1;
  for (const { file, module } of built.modules) io.stdout.write(`${oneLine(`${file} -> ${module}`)}\n`);
  io.stdout.write(`${counted(built.modules.length, 'workflow')} built.\n`);
  return 0;
}
