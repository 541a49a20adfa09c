// Renders diagnostics for programs: as annotations of GitHub Actions, as JSON, and as SARIF.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { oneLine } from '../../../runtime/values/one-line.js';
import type { LocatedDiagnostic } from './diagnostic.js';
import { didYouMean } from './suggest.js';

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

/** Lines and columns count from 1, columns in UTF-16 units; `endColumn` is the column after the fault. */
export function renderJson(diagnostics: readonly LocatedDiagnostic[]): string {
  const list = diagnostics.map(({ code, severity, file, line, column, length, sourceLine, message, suggestion, hint }) => ({
    code,
    severity,
    file,
    line,
    column,
    length,
    endLine: line,
    endColumn: column + length,
    sourceLine: snippet(sourceLine),
    message,
    suggestion,
    hint,
  }));
  return JSON.stringify(list, null, 2);
}

interface SarifOptions {
  /** A short title for each code, from the catalogue; a code without one is its own title. */
  readonly titles: Readonly<Record<string, string>>;
  /** Version of `wf`. */
  readonly version: string;
}

/** One log with one run. Its rules are those with results, sorted by code. */
export function renderSarif(diagnostics: readonly LocatedDiagnostic[], { titles, version }: SarifOptions): string {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort();
  const ruleIndex = new Map(codes.map((code, index) => [code, index]));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'wf', version, rules: codes.map((id) => ({ id, shortDescription: { text: titles[id] ?? id } })) },
        },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map((diagnostic) => ({
          ruleId: diagnostic.code,
          ruleIndex: ruleIndex.get(diagnostic.code),
          level: diagnostic.severity,
          message: { text: plainMessage(diagnostic) },
          locations: [{ physicalLocation: { artifactLocation: artifact(diagnostic.file), region: region(diagnostic) } }],
        })),
      },
    ],
  };
  return JSON.stringify(log, null, 2);
}

/** A path below the current folder becomes a relative reference, any other an absolute one. */
function artifact(file: string): { uri: string; uriBaseId?: string } {
  if (path.isAbsolute(file)) return { uri: pathToFileURL(file).href };
  const segments = path.normalize(file).split(path.sep);
  return { uri: segments.map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' };
}

/** A fault past the end of its line is an empty region, because a region may not leave its line. */
function region({ line, column, length, sourceLine }: LocatedDiagnostic) {
  const endColumn = Math.max(Math.min(column + length, sourceLine.length + 1), column);
  return { startLine: line, startColumn: column, endColumn, snippet: { text: snippet(sourceLine) } };
}

/** The message, suggestion and hint of a diagnostic as one text, for the formats that have a single field for it. */
function plainMessage({ message, suggestion, hint }: LocatedDiagnostic): string {
  const parts = [message];
  if (suggestion !== undefined) parts.push(didYouMean(suggestion));
  if (hint !== undefined) parts.push(`Hint: ${hint}`);
  return parts.join('\n');
}

const LONGEST = 2000;

/**
 * The offending line for machine-readable formats: whole, unless it is so long that many faults in it would fill the memory.
 */
const snippet = (sourceLine: string): string => (sourceLine.length <= LONGEST ? sourceLine : `${sourceLine.slice(0, LONGEST)}…`);
