// Parses the words after `npm run bench --`.
import { parseArgs } from 'node:util';

export const usage = `node bench/run.mjs [--only <part of a name>]... [--rounds <n>] [--quick] [--merge]

    --only    measures the rows whose name holds this text; may be repeated
    --rounds  rounds of each measurement, 9 if it is left out
    --quick   3 rounds and no growth beyond what takes seconds: to see that it works, not to learn how fast it is
    --merge   puts the rows of --only into results.md and results.json, and keeps the others there
    --keep    writes no results.md and no results.json`;

/** @throws Error with a sentence for the user */
export function readOptions(argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      merge: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const rounds = values.rounds === undefined ? (values.quick ? 3 : 9) : Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds must be a whole number from 1, not "${values.rounds}".`);
  const wanted = (name) =>
    values.only.length === 0 || values.only.some((part) => name.toLowerCase().includes(part.toLowerCase()));
  return {
    rounds,
    quick: values.quick,
    keep: values.keep,
    merge: values.merge,
    help: values.help,
    partly: values.only.length > 0,
    wanted,
  };
}
