// `--format sarif`: diagnostics as a SARIF 2.1.0 log, which code-scanning tools read.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LocatedDiagnostic } from './diagnostic.js';
import { plainMessage } from './plain-message.js';
import { snippet } from './snippet.js';

export interface SarifOptions {
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
