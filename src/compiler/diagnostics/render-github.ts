// `--format github`: diagnostics as workflow commands, which GitHub Actions shows as annotations next to the changed lines.
import path from 'node:path';
import { oneLine } from '../../../runtime/values/one-line.js';
import type { LocatedDiagnostic } from './diagnostic.js';
import { plainMessage } from './plain-message.js';

/** One command per line: `::error file=order.wf,line=13,col=9,endLine=13,endColumn=16,title=WF021::message`. */
export function renderGithub(diagnostics: readonly LocatedDiagnostic[]): string {
  return diagnostics.map(command).join('\n');
}

function command(diagnostic: LocatedDiagnostic): string {
  const { severity, file, line, column, length, code } = diagnostic;
  const properties = {
    file: path.normalize(file).split(path.sep).join('/'),
    line,
    col: column,
    endLine: line,
    endColumn: column + length,
    title: code,
  };
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${severity} ${list.join(',')}::${escapeData(plainMessage(diagnostic).split('\n').map(oneLine).join('\n'))}`;
}

const escapeData = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
