// `wf init`: creates sample workflows with test cases and a CI job. Tests check, run and test them.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { oneLine } from '../../runtime/values/one-line.js';
import { fileFault } from '../engine/files/file-fault.js';
import { makeFolder } from '../engine/files/make-folder.js';
import type { Io } from '../engine/io.js';
import { UsageError } from '../engine/usage-error.js';
import { shellWord } from './interruption.js';

/** Never overwrites: keeps and reports files that already exist. */
export async function initCommand(folder: string, io: Io): Promise<number> {
  if (folder === '') throw new UsageError('The folder name is empty. Leave it out to use the current folder.');
  const root = path.resolve(io.cwd, folder);
  for (const [name, content] of Object.entries(startFiles)) {
    const file = path.join(root, name);
    const shown = path.join(folder, name);
    if (existsSync(file)) {
      io.stdout.write(`kept     ${oneLine(shown)}\n`);
      continue;
    }
    try {
      makeFolder(path.dirname(file));
      writeFileSync(file, content, { flag: 'wx' });
    } catch (error) {
      throw new UsageError(`${shown} can't be written: ${fileFault(error)}.`);
    }
    io.stdout.write(`created  ${oneLine(shown)}\n`);
  }
  const enter = folder === '.' ? '' : `  cd ${shellWord(folder.startsWith('-') ? `./${folder}` : folder)}\n`;
  io.stdout.write(
    `\nTry it:\n${enter}  npm install\n${unpublished}  npx wf check .\n  npx wf run order-review.wf --input '{"customer":"Ada","total":120}'\n  npx wf test .\n`,
  );
  return 0;
}

/** A comment for the shell, because it is one of the suggested commands. */
const unpublished = `  # If npm finds no wf-lang: "npm pack" in a clone of wf makes a package; npm install --save-dev <path>/wf-lang-${WF_VERSION}.tgz\n`;

const workflow = `config:
    name: "Order review"
    version: 1

inputs:
    customer is a text
    total is a number above 0

services:
    Alerts is a webhook at "{env.ALERTS_URL}"

workflow:
    trigger: when an order is placed

    step Look at the total:
        if request.total is above 100:
            set review to "manual"
        otherwise:
            set review to "automatic"

    step Tell the team:
        if review is "manual":
            send alert using Alerts with text "Please look at the order of {request.customer}: {request.total}"
                on failure:
                    retry 2 times waiting 5 seconds
                    if still failing:
                        log "the alert was not sent: {failure.message}"

    complete with review review and total request.total
`;

const cases = [
  {
    name: 'a small order needs no review',
    input: { customer: 'Ada', total: 20 },
    expect: { status: 'completed', outputs: { review: 'automatic', total: 20 }, calls: [] },
  },
  {
    name: 'a large order alerts the team',
    input: { customer: 'Ada', total: 120 },
    expect: {
      status: 'completed',
      outputs: { review: 'manual' },
      calls: [{ service: 'Alerts', parameters: { text: 'Please look at the order of Ada: 120' } }],
    },
  },
  {
    name: 'a failed alert does not stop the order',
    input: { customer: 'Ada', total: 120 },
    mocks: { Alerts: { 'send alert': { status: 503 } } },
    expect: { status: 'completed', outputs: { review: 'manual' } },
  },
];

const report = `# The orders of a day: from a database, by mail, and as a file in a folder.
#     wf run daily-report.wf --mock
#     wf schedule daily-report.wf --every "weekday at 18:00"
config:
    name: "Daily report"
    version: 1

services:
    Shop is a database at "{env.DATABASE_URL}"
    Post is a mail server at "{env.SMTP_URL}"
        from "Shop <shop@example.com>"
    Reports is a folder at "./reports"

workflow:
    trigger: every weekday evening

    list orders using Shop at "orders" with day today
        save the result as orders
    if orders is empty:
        reject with "There are no orders of {today}."
    save report using Reports at "orders-{today}.csv" with rows orders
    set sheet.name to "orders-{today}.xlsx"
    set sheet.rows to orders
    send report using Post with to "sales@example.com" and subject "Orders of {today}" and text "The table is attached." and attachments [sheet]
        on failure:
            retry 5 times waiting 1 minute doubling
            if still failing:
                log "no one got the mail, but the report is in the folder: {failure.message}"
    complete with orders orders.count
`;

const orders = [{ id: 1, customer: 'Ada', total: 120 }];

const reportCases = [
  {
    name: 'the orders go out by mail',
    now: '2026-03-02T17:00:00Z',
    mocks: { Shop: { 'list orders': orders } },
    expect: {
      status: 'completed',
      outputs: { orders: 1 },
      calls: [
        { service: 'Reports', path: 'orders-2026-03-02.csv' },
        { service: 'Post', parameters: { subject: 'Orders of 2026-03-02' } },
      ],
    },
  },
  {
    name: 'a mail server that is down does not stop the report',
    mocks: { Shop: { 'list orders': orders }, Post: { 'send report': { error: 'connection refused' } } },
    expect: { status: 'completed', outputs: { orders: 1 } },
  },
  {
    name: 'a day without orders',
    now: '2026-03-01T17:00:00Z',
    mocks: { Shop: { 'list orders': [] } },
    expect: { status: 'rejected', message: 'There are no orders of 2026-03-01.' },
  },
];

// `npm install` rather than `npm ci`, which refuses a folder without a lock file.
const ci = `# Checks and tests the workflows at every push, if this folder is the root of a GitHub repository.
name: workflows
on: [push, pull_request]
jobs:
  check:
    runs-on: ubuntu-latest
    strategy:
      matrix:
        node: [20, 22, 24]
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: \${{ matrix.node }}
      - run: npm install
      - run: npx --no wf check . --format github
      - run: npx --no wf test .
`;

/** The command is called `wf`, the npm package `wf-lang`. */
const npmPackage = {
  private: true,
  scripts: { test: 'wf check . && wf test .' },
  devDependencies: { 'wf-lang': `^${WF_VERSION}` },
};

/** Path → content. */
const startFiles: Readonly<Record<string, string>> = {
  'order-review.wf': workflow,
  'order-review.test.json': `${JSON.stringify(cases, null, 2)}\n`,
  'daily-report.wf': report,
  'daily-report.test.json': `${JSON.stringify(reportCases, null, 2)}\n`,
  '.env.example':
    '# Copy this file to .env and fill it in. Never commit .env.\nALERTS_URL=https://hooks.example.com/services/1\nDATABASE_URL=postgres://user:password@db.example.com/shop\nSMTP_URL=smtp://user:password@mail.example.com\n',
  'package.json': `${JSON.stringify(npmPackage, null, 2)}\n`,
  '.github/workflows/wf.yml': ci,
  '.gitignore': '# Secrets, installed packages, and the output of wf build\n.env\nnode_modules/\ndist-wf/\n',
};
