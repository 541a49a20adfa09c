// What stands above the workflow. Runs with mock services show what inputs, tables and the calendar do, but not most settings of `config:`, such
// as `once for each`, and of services, such as their addresses: those are compared as they are written.
import type { Checked } from '../compiler/compile.js';

/** The lines of a file above its workflow, by what they decide. */
export interface Head {
  /** Lines of `config:` and of services, each service with its name. */
  readonly settings: readonly string[];
  /** Everything on which a run with mock services depends. */
  readonly ofRuns: string;
}

/** Settings that decide what a run with mock services does. */
const OF_RUNS = /^(?:timezone|working hours|holidays|language|timeout):/;
/** They only say which file it is. */
const OF_FILE = /^(?:name|version|description):/;

const COMMENT = /^((?:[^"#]|"(?:\\.|[^"\\])*")*?)(?:(?:^|\s)#.*)$/;

export function headOf({ text, workflow: { body } }: Pick<Checked, 'text' | 'workflow'>): Head {
  const settings: string[] = [];
  const ofRuns: string[] = [];
  let section = '';
  let service = '';
  for (const written of text.slice(0, body[0]?.span.start).split('\n')) {
    const line = written.replace(COMMENT, '$1').trimEnd();
    const words = line.trim().replaceAll(/\s+/g, ' ');
    if (words === '') continue;
    const depth = line.length - line.trimStart().length;
    if (depth === 0) section = words;
    else if (section === 'config:') {
      if (!OF_FILE.test(words)) settings.push(words);
      if (OF_RUNS.test(words)) ofRuns.push(words);
    } else if (section === 'services:') {
      if (depth === 4) {
        service = words.split(' ', 1)[0] ?? '';
        ofRuns.push(words.split('"', 1)[0] ?? '');
      }
      settings.push(depth === 4 ? words : `${service}: ${words}`);
    } else if (section !== 'workflow:') ofRuns.push(line);
  }
  return { settings, ofRuns: ofRuns.join('\n') };
}

/** The settings that only one of two files has. */
export function changedSettings(old: Head, now: Head): readonly [before: string[], after: string[]] {
  const without = (lines: readonly string[], others: readonly string[]): string[] =>
    lines.filter((line) => !others.includes(line));
  return [without(old.settings, now.settings), without(now.settings, old.settings)];
}
