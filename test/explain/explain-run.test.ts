// What `wf explain` shows of conditions and look-ups: the values that decided, the row that fitted, and lengths of time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainCommand } from '../../src/commands/explain.js';
import { folderWithData, inMemoryIo } from '../testing/in-memory-io.js';

const loan = `config:
    name: "Loan"
    version: 1

inputs:
    born is a date
    score is a number
    months is a number

tables:
    Rates:
        | score is    | months is at most | rate | decision  |
        | at least 80 | 36                | 3.9  | "approve" |
        | at least 60 | any               | 7.5  | "ask"     |

workflow:
    trigger: when somebody applies
    if years from request.born to today is below 18:
        reject with "too young"
    look up rate and decision in Rates with score request.score and months request.months
        if nothing matches:
            reject with "no rate"
    if decision is "ask":
        reject with "asked"
    complete with rate rate
`;

async function explained(folder: string, input: unknown, more: Record<string, unknown> = {}): Promise<string> {
  const io = inMemoryIo(folder, { WF_CACHE: 'off' });
  assert.equal(await explainCommand('loan.wf', { input: JSON.stringify(input), ...more }, io), 0, io.written.err);
  return io.written.out;
}

const yearsAgo = (years: number): string => `${new Date().getUTCFullYear() - years}-01-01`;

test('shows the row of a table that fitted, and what it gives', async (t) => {
  const folder = folderWithData(t, { 'loan.wf': loan });
  const shown = await explained(folder, { born: yearsAgo(40), score: 70, months: 48 });
  assert.match(shown, /^Rejected on line 24: "asked"$/m);
  assert.match(
    shown,
    /^ {2}20 {2}Rates with score \(70\) and months \(48\): the row in line 14 fits +yes +rate 7.5, decision "ask"$/m,
  );
});

test('says that no row fitted', async (t) => {
  const folder = folderWithData(t, { 'loan.wf': loan });
  const shown = await explained(folder, { born: yearsAgo(40), score: 20, months: 48 });
  assert.match(shown, /^ {2}20 {2}Rates with score \(20\) and months \(48\): a row fits +no$/m);
});

test('shows how long it is from one date to another', async (t) => {
  const folder = folderWithData(t, { 'loan.wf': loan });
  const shown = await explained(folder, { born: yearsAgo(40), score: 90, months: 12 }, { all: true });
  assert.match(
    shown,
    /^ {2}18 {2}40 years from request\.born \("\d{4}-01-01"\) to today \("\d{4}-\d\d-\d\d"\) is below 18 +no$/m,
  );
  assert.match(shown, /the row in line 13 fits +yes +rate 3.9, decision "approve"$/m);
});
