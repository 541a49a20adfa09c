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

test('breaks lines at spaces where a terminal is narrow, and nowhere else', async (t) => {
  const folder = folderWithData(t, { 'loan.wf': loan });
  const input = JSON.stringify({ born: yearsAgo(40), score: 70, months: 48 });
  const written = async (columns: string): Promise<string> => {
    const io = inMemoryIo(folder, { WF_CACHE: 'off', COLUMNS: columns });
    assert.equal(await explainCommand('loan.wf', { input }, io), 0, io.written.err);
    return io.written.out;
  };
  const [whole, narrow, wide] = [await explained(folder, JSON.parse(input)), await written('60'), await written('200')];
  assert.equal(wide.split('\n').length, whole.split('\n').length, wide);
  assert.ok(
    narrow.split('\n').every((line) => line.length <= 60),
    narrow,
  );
  assert.match(
    narrow,
    /^ {2}20 {2}Rates with score \(70\) and months \(48\): +yes\n {6}the row in line 14 fits\n {6}rate 7\.5,/m,
  );
  const words = (text: string): string[] => text.split(/\s+/).sort();
  assert.deepEqual(words(narrow), words(whole));
});

test('shows the values of each round and branch, not those of another', async (t) => {
  const text = `config:
    name: "Rounds"
    version: 1

services:
    Stock is an API at "https://stock.example.com"

workflow:
    trigger: when an order comes in

    set cancelled to false
    at the same time, until one is done:
        step Payment:
            wait for payment
        step Cancellation:
            set cancelled to true
            wait for cancellation
    set low to []
    for each line in request.lines, 10 at a time:
        set wanted to line.count times 2
        get stock using Stock at "/{line.article}"
        if wanted is above 3:
            add line.article to low
    if cancelled:
        reject with "cancelled"
    if low.count is above 1:
        complete with low low
    complete with low []
`;
  const folder = folderWithData(t, { 'loan.wf': text });
  const lines = [1, 2, 3].map((count) => ({ article: `a${count}`, count }));
  const shown = await explained(folder, { lines }, { all: true });
  assert.deepEqual(
    shown.match(/^ {2}(?:22|24) {2}.*\b(?:yes|no)$/gm)?.map((line) => line.replaceAll(/ +/g, ' ')),
    [
      ' 22 wanted (2) is above 3 no',
      ' 22 wanted (4) is above 3 yes',
      ' 22 wanted (6) is above 3 yes',
      ' 24 cancelled (false) no',
    ],
  );
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

test('finds the nearest other outcome in another row of a table', async (t) => {
  const folder = folderWithData(t, { 'loan.wf': loan });
  const asked = await explained(folder, { born: yearsAgo(40), score: 70, months: 48 });
  assert.match(asked, /^With request\.score below 60 it would have been rejected on line 22\.$/m);
  const approved = await explained(folder, { born: yearsAgo(40), score: 81, months: 12 });
  assert.match(approved, /^With request\.score below 80 it would have been rejected on line 24\.$/m);
});

test('finds another outcome where a calculated value is compared with one of the request', async (t) => {
  const leave = `config:
    name: "Leave"
    version: 1

inputs:
    days is a list of texts
    left is a whole number at least 0

workflow:
    trigger: when somebody asks for leave
    set needed to count of request.days
    if needed is above request.left:
        reject with "Only {request.left} days are left."
    complete with needed needed
`;
  const folder = folderWithData(t, { 'loan.wf': leave });
  const fine = await explained(folder, { days: ['a', 'b', 'c'], left: 3 });
  assert.match(fine, /^With request\.left below 3 it would have been rejected on line 13\.$/m);
  const refused = await explained(folder, { days: ['a', 'b', 'c'], left: 1 });
  assert.match(refused, /^With request\.left at least 3 it would have completed on line 14\.$/m);
});

test('finds the date on which a length of time is reached', async (t) => {
  const folder = folderWithData(t, { 'loan.wf': loan });
  const young = await explained(folder, { born: yearsAgo(17), score: 90, months: 12 });
  const nearest = /^With request\.born on or before (\d{4})-\d\d-\d\d it would have completed on line 25\.$/m.exec(young);
  assert.equal(nearest?.[1], yearsAgo(18).slice(0, 4), young);
});

test('finds the nearest other outcome beside a date', async (t) => {
  const text = `config:
    name: "Loan"
    version: 1

workflow:
    trigger: when somebody applies
    if request.due is before "2026-03-01":
        reject with "too late"
    if request.due is after "2026-03-01" plus 2 weeks:
        reject with "too early"
    complete
`;
  const folder = folderWithData(t, { 'loan.wf': text });
  assert.match(
    await explained(folder, { due: '2026-02-10' }),
    /^With request\.due on or after 2026-03-01 it would have completed/m,
  );
  assert.match(
    await explained(folder, { due: '2026-03-20' }),
    /^With request\.due on or before 2026-03-15 it would have completed/m,
  );
  assert.match(
    await explained(folder, { due: '2026-03-14' }),
    /^With request\.due after 2026-03-15 it would have been rejected on line 10\.$/m,
  );
});

test('finds the nearest of several other outcomes, however far all of them are', async (t) => {
  const text = `config:
    name: "Loan"
    version: 1

workflow:
    trigger: when somebody applies
    if request.amount is above 1000:
        reject with "too much"
    if request.blocked:
        reject with "blocked"
    if request.pieces is above 90:
        reject with "too many"
    if years from request.born to today is above 90:
        reject with "too old"
    if years from request.born to today is below 35:
        reject with "too young"
    complete
`;
  const folder = folderWithData(t, { 'loan.wf': text });
  const born = yearsAgo(45);
  assert.match(await explained(folder, { amount: 1, pieces: 46, born }), /^With request\.pieces above 90 it /m);
  assert.match(await explained(folder, { amount: 1, pieces: 40, born }), /^With request\.blocked true it /m);
  assert.match(await explained(folder, { amount: 990, pieces: 46, born }), /^With request\.amount above 1000 it /m);
  const young = await explained(folder, { amount: 1, pieces: 1, born: yearsAgo(35) });
  assert.match(young, /^With request\.born on or after .* on line 16\.$/m);
});

test('finds the nearest other outcome in an answer or a message', async (t) => {
  const refund = `config:
    name: "Refund"
    version: 1

services:
    Finance is a person

workflow:
    trigger: when a customer asks for their money back
    ask Finance to pay it
        choose from "pay", "decline"
        save the result as decision
    if decision is "decline":
        reject with "declined"
`;
  const waits = `    wait for parcel with order request.order at most 3 days
        if nothing comes:
            reject with "no parcel"
`;
  const folder = folderWithData(t, {
    'loan.wf': `${refund}    complete\n`,
    'sent.wf': refund.replace(/ {4}ask[\s\S]*/, `${waits}    complete\n`).replace(/services:[\s\S]*\n\nworkflow/, 'workflow'),
  });
  assert.match(await explained(folder, {}), /^With the answer "decline" of Finance it would have been rejected on line 14\.$/m);
  const io = inMemoryIo(folder, { WF_CACHE: 'off' });
  assert.equal(await explainCommand('sent.wf', { input: '{"order":"A1"}' }, io), 0, io.written.err);
  assert.match(io.written.out, /^Without the message "parcel" it would have been rejected on line 9\.$/m);
});

test('finds the nearest other outcome behind a variable that one line sets', async (t) => {
  const text = `config:
    name: "Blood donation"
    version: 1

workflow:
    trigger: when somebody wants to give blood
    set age to years from request.born to "2026-03-02"
    if age is above 72:
        reject with "too old"
    set pause to 8
    set next to request.last plus pause weeks
    if next is after "2026-03-02":
        reject with "too early"
    set lowest to 12
    set lowest to lowest plus 1
    if request.iron is below lowest:
        reject with "too little"
    complete
`;
  const folder = folderWithData(t, { 'loan.wf': text });
  assert.match(
    await explained(folder, { born: '1950-01-01', last: '2025-01-01', iron: 14 }),
    /^With request\.born on or after 1953-03-03 it would have completed/m,
  );
  assert.match(
    await explained(folder, { born: '1990-01-01', last: '2026-02-01', iron: 14 }),
    /^With request\.last on or before 2026-01-05 it would have completed/m,
  );
  assert.match(
    await explained(folder, { born: '1990-01-01', last: '2025-01-01', iron: 12.5 }),
    /^With request\.iron at least 13 it would have completed/m,
  );
});
