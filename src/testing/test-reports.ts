// Renders the results of `wf test` for programs: JUnit XML, JSON, and TAP version 14.
import { oneLine } from '../../runtime/values/one-line.js';
import type { TestResult } from './test-session.js';

const renderers = { junit: renderJunit, json: renderJson, tap: renderTap };

/** A format of `wf test --format`. */
export const testFormats = ['text', 'junit', 'json', 'tap'] as const;
export type TestFormat = (typeof testFormats)[number];

/** Ends with a line break. */
export function renderResults(results: readonly TestResult[], format: Exclude<TestFormat, 'text'>): string {
  return `${renderers[format](results)}\n`;
}

const failedOf = (results: readonly TestResult[]): TestResult[] => results.filter(({ status }) => status === 'failed');

/** One suite for each workflow. */
function renderJunit(results: readonly TestResult[]): string {
  const suites = [...new Set(results.map(({ file }) => file))].map((file) => {
    const own = results.filter((result) => result.file === file);
    return [`  <testsuite name="${escapeXml(file)}" ${counts(own)}>`, ...own.map(testcase), '  </testsuite>'].join('\n');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="wf test" ${counts(results)}>`,
    ...suites,
    '</testsuites>',
  ].join('\n');
}

const counts = (results: readonly TestResult[]): string =>
  `tests="${results.length}" failures="${failedOf(results).length}" errors="0"`;

function testcase({ file, name, status, details }: TestResult): string {
  const head = `    <testcase classname="${escapeXml(file)}" name="${escapeXml(oneLine(name))}"`;
  if (status === 'passed') return `${head}/>`;
  const message = escapeXml(details[0] ?? 'failed');
  return `${head}>\n      <failure message="${message}">${escapeXml(details.join('\n'))}</failure>\n    </testcase>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** XML has no way to write most control characters, and no lone surrogates, so they become U+FFFD. */
function escapeXml(text: string): string {
  const allowed = [...text].map((character) =>
    /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(character) ? '\ufffd' : character,
  );
  return allowed.join('').replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

function renderJson(results: readonly TestResult[]): string {
  const failed = failedOf(results).length;
  return JSON.stringify({ passed: results.length - failed, failed, tests: results }, null, 2);
}

function renderTap(results: readonly TestResult[]): string {
  const lines = results.flatMap(({ file, name, status, details }, index) => [
    `${status === 'passed' ? 'ok' : 'not ok'} ${index + 1} - ${escapeTap(oneLine(`${file}: ${name}`))}`,
    ...(details.length === 0 ? [] : ['  ---', `  details: ${JSON.stringify(details)}`, '  ...']),
  ]);
  return ['TAP version 14', `1..${results.length}`, ...lines].join('\n');
}

/** `#` would begin a directive such as `# SKIP`. */
const escapeTap = (text: string): string => text.replace(/[\\#]/g, '\\$&');
