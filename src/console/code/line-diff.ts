// Compares two texts by line (Myers' algorithm, as `diff` uses): lines kept, removed, added.

export interface DiffLine {
  readonly change: 'same' | 'old' | 'new';
  readonly text: string;
}

/** Texts that differ in more lines than this are shown one after the other. A comparison would not help. */
const MOST_EDITS = 600;

export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ change: 'same', text }));
  return [
    ...same(old.slice(0, start)),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...same(old.slice(old.length - end)),
  ];
}

/** Only the changed lines, each with a few unchanged ones around it. `undefined` marks a gap. */
export function hunks(lines: readonly DiffLine[], around = 3): (DiffLine | undefined)[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ change }) => change !== 'same'),
  );
  return lines.flatMap((line, index) => (isNear[index] ? [line] : index === 0 || isNear[index - 1] ? [undefined] : []));
}

const linesOf = (text: string): string[] => text.replace(/\r\n/g, '\n').replace(/\n$/, '').split('\n');

function middle(old: readonly string[], now: readonly string[]): DiffLine[] {
  const removed: DiffLine[] = old.map((text) => ({ change: 'old', text }));
  const added: DiffLine[] = now.map((text) => ({ change: 'new', text }));
  if (old.length === 0 || now.length === 0) return [...removed, ...added];
  return shortestEdit(old, now) ?? [...removed, ...added];
}

/** Extends the furthest path of each diagonal by one edit at a time. */
function shortestEdit(old: readonly string[], now: readonly string[]): DiffLine[] | undefined {
  const steps: Map<number, number>[] = [];
  let furthest = new Map([[1, 0]]);
  for (let edits = 0; edits <= Math.min(old.length + now.length, MOST_EDITS); edits++) {
    const next = new Map<number, number>();
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = furthest.get(diagonal + 1) ?? -1;
      const right = furthest.get(diagonal - 1) ?? -1;
      let x = diagonal === -edits || (diagonal !== edits && right < down) ? down : right + 1;
      while (x < old.length && x - diagonal < now.length && x - diagonal >= 0 && old[x] === now[x - diagonal]) x++;
      next.set(diagonal, x);
      if (x >= old.length && x - diagonal >= now.length) return trace([...steps, furthest], old, now);
    }
    steps.push(furthest);
    furthest = next;
  }
  return undefined;
}

function trace(steps: readonly ReadonlyMap<number, number>[], old: readonly string[], now: readonly string[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let [x, y] = [old.length, now.length];
  for (let edits = steps.length - 1; edits >= 0; edits--) {
    const furthest = steps[edits] ?? new Map<number, number>();
    const diagonal = x - y;
    const down = furthest.get(diagonal + 1) ?? -1;
    const right = furthest.get(diagonal - 1) ?? -1;
    const isDown = diagonal === -edits || (diagonal !== edits && right < down);
    const from = isDown ? down : right;
    const fromY = from - (diagonal + (isDown ? 1 : -1));
    // The end of the path after its insertion or removal. A run of equal lines follows.
    const [moveX, moveY] = edits === 0 ? [0, 0] : isDown ? [from, fromY + 1] : [from + 1, fromY];
    while (x > moveX && y > moveY) {
      x--;
      y--;
      lines.push({ change: 'same', text: old[x] ?? '' });
    }
    if (edits === 0) break;
    if (isDown) lines.push({ change: 'new', text: now[--y] ?? '' });
    else lines.push({ change: 'old', text: old[--x] ?? '' });
  }
  return lines.reverse();
}
