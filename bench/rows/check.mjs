// `wf check` of one long file and of many short ones. The yardstick is an interpreter outside this repository. Its figures come from
// another machine and are scaled by the ratio of `node -e 0` on both.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { peakMemory, timeProcess } from '../node-process.mjs';
import { absolute, show } from '../result.mjs';
import { interleave, median } from '../statistics.mjs';
import { variedProgram } from '../varied-program.mjs';
import { wf } from '../workspace.mjs';

const TIME = 'wf check of 35,000 lines';
const MEMORY = 'wf check of 35,000 lines, memory';
const MANY = 'wf check of 1,000 files of 35 lines';

const CONDITIONS = 'wf check of 300 conditions';

export const names = [TIME, MEMORY, MANY, CONDITIONS];

/** Milliseconds of `node -e 0` on the machine where the other interpreter was measured. */
const NODE_THERE = 27;

export async function measure({ place, rounds, wanted }) {
  const folder = place.fresh();
  const long = path.join(folder, 'long.wf');
  writeFileSync(long, variedProgram(1, 35_000));
  const many = path.join(folder, 'many');
  mkdirSync(many);
  for (let index = 0; index < 1000; index++) writeFileSync(path.join(many, `${index}.wf`), variedProgram(index, 35));

  const decisions = path.join(folder, 'decisions.wf');
  writeFileSync(decisions, withConditions(300));

  const subjects = {
    node: () => timeProcess(['-e', '0'], place.env),
    ...(wanted(TIME) ? { [TIME]: () => timeProcess([wf, 'check', long], place.env) } : {}),
    ...(wanted(MEMORY) ? { [MEMORY]: () => peakMemory([wf, 'check', long], place.env) } : {}),
    ...(wanted(CONDITIONS) ? { [CONDITIONS]: () => timeProcess([wf, 'check', decisions], place.env) } : {}),
    ...(wanted(MANY)
      ? { version: () => timeProcess([wf, '--version'], place.env), [MANY]: () => timeProcess([wf, 'check', many], place.env) }
      : {}),
  };
  const figures = await interleave(subjects, rounds);
  const scale = median(figures.node) / NODE_THERE;
  const scaled = (what, ms) =>
    `other interpreter ${what} ${show(ms, 'ms')}, scaled to this machine ${show(ms * scale, 'ms')} (node -e 0: ${show(median(figures.node), 'ms')} here, ${NODE_THERE} ms there)`;
  const rows = [];
  if (wanted(TIME))
    rows.push(
      absolute({
        name: TIME,
        unit: 'ms',
        figures: figures[TIME],
        atMost: 1_100 * scale,
        note: scaled('1.10 s whole process:', 1100),
      }),
    );
  if (wanted(MEMORY))
    rows.push(
      absolute({
        name: MEMORY,
        unit: 'bytes',
        figures: figures[MEMORY],
        atMost: 160 * 2 ** 20,
        note: 'the most resident memory of the process; other interpreter 160 MB',
      }),
    );
  if (wanted(CONDITIONS))
    rows.push(
      absolute({
        name: CONDITIONS,
        unit: 'ms',
        figures: figures[CONDITIONS],
        atMost: 500,
        note: 'whole process; every way through conditions on different values, most of which add to one total',
      }),
    );
  if (wanted(MANY)) {
    const work = figures[MANY].map((ms, round) => ms - figures.version[round]);
    rows.push(
      absolute({
        name: MANY,
        unit: 'ms',
        figures: work,
        atMost: 600 * scale,
        note: `work: whole process (${show(median(figures[MANY]), 'ms')}) minus wf --version; ${scaled('0.47 s of work:', 470)}`,
      }),
    );
  }
  return rows;
}

/** Each condition asks another field; most of them change a total, which the last one asks. */
function withConditions(count) {
  const lines = ['set total to 0'];
  for (let index = 0; index < count - 1; index++)
    lines.push(
      `if request.field-${index} is above ${index}:`,
      index % 3 === 0 ? '    log "large"' : `    set total to total plus ${index % 7}`,
    );
  lines.push('if total is above 700:', '    reject with "too much"', 'complete with total total');
  return `config:\n    name: "Decisions"\n    version: 1\n\nworkflow:\n    trigger: by hand\n\n${lines.map((line) => `    ${line}\n`).join('')}`;
}
