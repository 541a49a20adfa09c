// `wf check`: checks files and folders and prints the diagnostics in the requested format.
import path from 'node:path';
import { counted } from '../../runtime/texts/words.js';
import { oneLine } from '../../runtime/values/one-line.js';
import { checkFile } from '../compiler/compile.js';
import type { LocatedDiagnostic } from '../compiler/diagnostics/diagnostic.js';
import { firstFaults, renderText, summary } from '../compiler/diagnostics/render-text.js';
import type { Io } from '../engine/io.js';
import { workflowFiles } from '../engine/prepare/workflow-files.js';
import type { Values } from './command-spec.js';
import { namedSources, readFormat } from './named-sources.js';
import { createProgress } from './progress.js';

type Render = (found: readonly LocatedDiagnostic[]) => string;

/** The formats for programs. Each renderer is loaded on demand. */
const renderers: Readonly<Record<string, () => Promise<Render>>> = {
  json: async () => (await import('../compiler/diagnostics/render-for-machines.js')).renderJson,
  github: async () => (await import('../compiler/diagnostics/render-for-machines.js')).renderGithub,
  async sarif() {
    const { renderSarif } = await import('../compiler/diagnostics/render-for-machines.js');
    const { titles } = await import('../compiler/diagnostics/catalogue/titles.js');
    return (found) => renderSarif(found, { titles, version: WF_VERSION });
  },
};
const FORMATS = ['text', ...Object.keys(renderers)];

export async function checkCommand(targets: readonly string[], values: Values, io: Io): Promise<number> {
  const format = readFormat(FORMATS, values.format);
  const found: LocatedDiagnostic[] = [];
  const reported = new Set<string>();
  const lines: string[] = [];
  const even: string[] = [];
  const all = namedSources('check', targets, values, io);
  const progress = createProgress(io, 100);
  for (const [index, source] of all.entries()) {
    progress.update(0, 'checked', index, all.length);
    const options = { files: workflowFiles(source.file, io.cwd) };
    const bytes = await source.read();
    const fixed = values.fix === true ? await (await import('./fix-file.js')).fixFile(source, bytes, options, io) : bytes;
    const checked = checkFile(fixed, source.file, options);
    const diagnostics = checked.hasErrors
      ? checked.diagnostics
      : (await import('../analysis/analyse.js')).analyse(checked, source.file);
    for (const diagnostic of diagnostics) if (isNew(reported, diagnostic)) found.push(diagnostic);
    if (source.isFile && diagnostics.some(({ code }) => ['WF003', 'WF004', 'WF005'].includes(code))) {
      const isEven = (await import('../format/format.js')).reindented(checked.text) !== undefined;
      if (isEven) even.push(oneLine(source.file));
    }
    const errors = diagnostics.some(({ severity }) => severity === 'error' || values.strict === true);
    if (!errors && values.quiet !== true)
      lines.push(
        `${oneLine(source.file)} is valid, no errors found${diagnostics.length === 0 ? '' : ` (${counted(diagnostics.length, 'warning')})`}.`,
      );
  }
  progress.clear();
  if (format === 'text') {
    if (lines.length > 0) io.stdout.write(`${lines.join('\n')}\n`);
    if (found.length > 0) io.stderr.write(`${renderText(found, { colour: io.colour.stderr })}\n\n${summary(found)}\n`);
    for (const file of even)
      io.stderr.write(
        `\nThe levels of ${file} are equally wide, but not 4 spaces. To change all of them: wf check --fix ${file}\n`,
      );
  } else {
    const text = (await renderers[format]?.())?.(withRest(found)) ?? '';
    if (text !== '') io.stdout.write(`${text}\n`);
  }
  return found.some(({ severity }) => severity === 'error' || values.strict === true) ? 1 : 0;
}

/** As many as text shows, and one that says how many more there are. */
function withRest(found: readonly LocatedDiagnostic[]): readonly LocatedDiagnostic[] {
  const { shown, more } = firstFaults(found);
  const last = found.find((diagnostic) => !shown.includes(diagnostic));
  if (more === undefined || last === undefined) return shown;
  const { file, line, column, length, sourceLine, span, severity } = last;
  return [...shown, { code: 'WF013', severity, file, line, column, length, sourceLine, span, message: more }];
}

/** A called workflow with errors appears in the report of each caller. */
function isNew(reported: Set<string>, { file, line, column, code, message }: LocatedDiagnostic): boolean {
  const key = JSON.stringify([path.normalize(file), line, column, code, message]);
  if (reported.has(key)) return false;
  reported.add(key);
  return true;
}
