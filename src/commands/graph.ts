// `wf graph`: prints a drawing of a workflow, and what a run or the cases reach in it.
import { oneLine } from '../../runtime/values/one-line.js';
import { type Checked, checkFile } from '../compiler/compile.js';
import { diagramOf } from '../diagram/diagram.js';
import type { DrawOptions } from '../diagram/drawer.js';
import { drawMermaid } from '../diagram/mermaid.js';
import { drawSvg } from '../diagram/svg.js';
import type { Io } from '../engine/io.js';
import { readWorkflow } from '../engine/prepare/find-workflows.js';
import { workflowFiles } from '../engine/prepare/workflow-files.js';
import { UsageError } from '../engine/usage-error.js';
import type { Values } from './command-spec.js';
import { namedWorkflow, printDiagnostics, readFormat } from './named-sources.js';

const FORMATS = ['svg', 'mermaid', 'json'];
/** Each lights lines in its own way. */
const SOURCES = ['cases', 'input', 'inputFile', 'run'] as const;

/** @returns 0, or 1 if the workflow has errors */
export async function graphCommand(file: string, values: Values, io: Io): Promise<number> {
  const format = readFormat(FORMATS, values.format ?? 'svg');
  const [first, second] = SOURCES.filter((name) => values[name] !== undefined).map(
    (name) => `--${name === 'inputFile' ? 'input-file' : name}`,
  );
  if (second !== undefined) throw new UsageError(`Use either ${first} or ${second}, not both.`);
  if (values.mocks !== undefined && values.input === undefined && values.inputFile === undefined)
    throw new UsageError('--mocks needs --input: they are the answers in that run.');
  if (values.run !== undefined) return graphOfRun(file, format, values, io);
  if (values.store !== undefined) throw new UsageError('--store needs --run: it is the store of that run.');
  if (file === '') throw new UsageError('wf graph needs a workflow or a run.', 'Name a file: wf graph order.wf > order.svg');
  const source = namedWorkflow(file, io, 'wf graph takes one file: wf graph order.wf');
  const { checked, reached } =
    first === undefined
      ? { checked: checkFile(source, file, { files: workflowFiles(file, io.cwd) }), reached: {} }
      : await (await import('./graph-lines.js')).reachedLines(file, source, values, io);
  if (checked.hasErrors) {
    printDiagnostics(checked, io);
    return 1;
  }
  io.stdout.write(draw(checked, file, format, reached));
  return 0;
}

/** Draws the text that the run used, because its lines are those of that text. */
async function graphOfRun(file: string, format: string, values: Values, io: Io): Promise<number> {
  const { withStoredRun } = await import('./runs/open-command-store.js');
  return withStoredRun('graph --run', file, values, io, async ({ store, run, text, file: name }) => {
    const traced = await store.retrace(run.run);
    if (traced?.doubt !== undefined) io.stderr.write(`${traced.doubt}\n`);
    if (file !== '' && readWorkflow(file, io.cwd).toString() !== text)
      io.stderr.write(`${oneLine(file)} has changed since this run. The drawing shows the text that the run used.\n`);
    io.stdout.write(draw(checkFile(text, name), name, format, { lit: new Set(traced?.reached.keys()) }));
    return 0;
  });
}

function draw({ workflow, text }: Checked, file: string, format: string, reached: DrawOptions): string {
  const diagram = diagramOf(workflow, text, file.replace(/^.*[\\/]/, '').replace(/\.wf$/, ''));
  if (format === 'svg') return drawSvg(diagram, reached);
  if (format === 'mermaid') return drawMermaid(diagram, reached);
  const lines = reached.lit ?? reached.covered;
  return `${JSON.stringify(lines === undefined ? diagram : { ...diagram, reached: [...lines].sort((one, other) => one - other) })}\n`;
}
