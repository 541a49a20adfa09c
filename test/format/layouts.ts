// Files with another layout than their form, and how lines correspond.

import { layout } from '../../src/compiler/1-layout/layout.js';
import type { Line } from '../../src/compiler/1-layout/line.js';
import { readLines } from '../../src/compiler/2-parse/read-lines.js';

/** The numbers of all lines that say something, in their order. */
export function lineNumbers(text: string): number[] {
  const numbers: number[] = [];
  const add = (lines: readonly Line[]): void => {
    for (const { number, children, pieces = [] } of lines) {
      numbers.push(number, ...pieces.map((_, index) => number + 1 + index));
      add(children);
    }
  };
  add(readLines(layout(text).tokens));
  return numbers;
}

/** What to change in a file: the numbers decide where and how much. */
export interface LayoutChange {
  /** What a level is indented by. */
  readonly unit: string;
  readonly lineEnd: string;
  /** Used in turn: how many spaces a gap gets in addition, and whether a blank line is doubled. */
  readonly extra: readonly number[];
}

/** The file with other spaces and blank lines, but with the same form. */
export function withOtherLayout(text: string, { unit, lineEnd, extra }: LayoutChange): string {
  let turn = 0;
  const next = (): number => extra[turn++ % extra.length] ?? 0;
  const heads = new Map<number, Line>();
  /** Under a long text, options are known by their words with one space between them. */
  const fixed = new Set<Line>();
  const add = (lines: readonly Line[], areFixed: boolean): void => {
    for (const line of lines) {
      heads.set(line.number, line);
      if (areFixed) fixed.add(line);
      add(line.children, areFixed || line.pieces !== undefined);
    }
  };
  add(readLines(layout(text).tokens), false);
  const written = text.split(/\r?\n/);
  const result: string[] = [];
  for (let number = 1; number <= written.length; number++) {
    const whole = written[number - 1] ?? '';
    const line = heads.get(number);
    if (line === undefined) {
      result.push(whole.trim() === '' ? ' '.repeat(next()) : unit.repeat(whole.search(/\S/) / 4) + whole.trim());
      if (whole === '') for (let left = next(); left > 0; left--) result.push('');
      continue;
    }
    let changed = unit.repeat(line.depth);
    const count = line.pieces === undefined ? line.shape.length : line.shape.length - 1;
    for (let index = 0; index < count; index++) {
      const [start = 0, end = 0] = line.offsets.slice(2 * index, 2 * index + 2);
      const gap = index === 0 ? '' : text.slice(line.offsets[2 * index - 1], start);
      changed += gap + (gap === '' || fixed.has(line) ? '' : ' '.repeat(next())) + text.slice(start, end);
    }
    const rest = whole.trimStart().slice(line.end - line.start);
    result.push(changed + rest + ' '.repeat(next()));
    for (const { start, end } of line.pieces ?? [])
      result.push(start === end ? '' : unit.repeat(line.depth + 1) + text.slice(start, end));
    number += line.pieces?.length ?? 0;
    if (line.children.length > 0) for (let left = next(); left > 0; left--) result.push('');
  }
  return result.join(lineEnd);
}
