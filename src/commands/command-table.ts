// Every command with its arguments and options. The argument parser, help texts, shell completion and docs are all based on this
// table.
import { makers } from '../compiler/vocabulary/webhook-makers.js';
import type { Io } from '../engine/io.js';

export interface OptionSpec {
  /** `--input <json>`, or `--json` if it takes no value. */
  readonly flag: string;
  readonly text: string;
  /** What it can be, for completion; absent if that is no fixed list. */
  readonly values?: readonly string[];
  /** The only actions of its command that take it; absent if all do. */
  readonly actions?: readonly string[];
}

/** An option that only some actions of a command take. Its text names them first. */
const only = (actions: string, { text, ...spec }: OptionSpec): OptionSpec => ({
  ...{ ...spec, text: `${actions}: ${text}`, actions: actions.split(', ') },
});

/** Options as parsed: names in camel case; values as written, or `true`. */
export type Values = Readonly<Record<string, string | true | undefined>>;

export interface CommandSpec {
  readonly name: string;
  /** `<file>`: exactly one; `<target...>`: one or more; `[folder]`: optional; `[action...]`: any number; empty: none. */
  readonly argument: '' | `<${string}>` | `<${string}...>` | `[${string}]` | `[${string}...]`;
  /** The possible first words of a command with several actions, and what follows each. */
  readonly actions?: readonly OptionSpec[];
  /** What the argument can be, for completion; absent if that is no fixed list. */
  readonly values?: readonly string[];
  readonly text: string;
  readonly example: string;
  readonly options: readonly OptionSpec[];
  readonly run: (targets: readonly string[], values: Values, io: Io) => Promise<number>;
}

const input: readonly OptionSpec[] = [
  { flag: '--input <json>', text: 'The request as a JSON object' },
  { flag: '--input-file <path>', text: 'Read the request from a .json, .csv, .xlsx or .xls file' },
  { flag: '--sheet <name>', text: 'Sheet to read (default: the first)' },
  { flag: '--as-text <columns>', text: 'Columns to keep as text, such as sku,zip' },
];
const store: OptionSpec = { flag: '--store <where>', text: 'Keep runs in this folder or database (default: WF_STORE)' };
const otherStore: OptionSpec = { flag: '--store <where>', text: 'Folder or database with the runs (default: WF_STORE)' };
const keep: OptionSpec = { flag: '--keep <time>', text: 'How long to keep finished runs, such as 30d or forever (default: 90d)' };
const keepMessages: OptionSpec = {
  flag: '--keep-messages <time>',
  text: 'How long to keep messages that no run waits for, such as 30d (default: 7d)',
};
const publicUrl: OptionSpec = {
  flag: '--public-url <url>',
  text: 'Base URL of all addresses, such as https://wf.example.com',
};
const maxRunMemory: OptionSpec = {
  flag: '--max-run-memory <size>',
  text: 'Memory for the values of one run (default: 256mb, or a quarter of a small heap)',
};
const logFormat: OptionSpec = {
  flag: '--log-format <format>',
  text: 'text, or json for one object a line (default: text)',
  values: ['text', 'json'],
};
const alert: OptionSpec = { flag: '--alert <url>', text: 'Tell this webhook of failed and stuck runs (default: WF_ALERT)' };
const otel: OptionSpec = {
  flag: '--otel',
  text: 'Send traces to an OpenTelemetry collector (default: if OTEL_EXPORTER_OTLP_ENDPOINT is set)',
};
const strictEnv: OptionSpec = { flag: '--strict-env', text: 'Fail if an environment variable used in the file is missing' };
const mock: readonly OptionSpec[] = [
  { flag: '--mock', text: 'Use mock services: nothing leaves this machine' },
  { flag: '--mocks <file>', text: 'Use the mock answers in this JSON file' },
];
const target = (targets: readonly string[]): string => targets[0] ?? '';

export const commands: readonly CommandSpec[] = [
  {
    name: 'check',
    argument: '<target...>',
    text: 'Check workflow files without running them',
    example: 'wf check order.wf workflows/ --strict',
    options: [
      {
        flag: '--format <name>',
        text: 'Output format: text, json, github or sarif (default: text)',
        values: ['text', 'json', 'github', 'sarif'],
      },
      { flag: '--strict', text: 'Treat warnings as errors' },
      { flag: '--fix', text: 'Correct misspelt words in the files, then check them' },
      { flag: '--stdin-filename <name>', text: 'File name to report for standard input (-)' },
      { flag: '--quiet', text: 'Print nothing for valid files' },
    ],
    run: async (targets, values, io) => (await import('./check.js')).checkCommand(targets, values, io),
  },
  {
    name: 'format',
    argument: '<target...>',
    text: 'Write workflow files in their one form',
    example: 'wf format workflows/',
    options: [
      { flag: '--check', text: 'Change nothing; list the files that are not in their form' },
      { flag: '--diff', text: 'Change nothing; show what would change' },
      { flag: '--stdin-filename <name>', text: 'File name to report for standard input (-)' },
    ],
    run: async (targets, values, io) => (await import('./format.js')).formatCommand(targets, values, io),
  },
  {
    name: 'rules',
    argument: '<file>',
    text: 'Show the inputs, tables, rejections and results of a workflow',
    example: 'wf rules order.wf',
    options: [
      {
        flag: '--format <name>',
        text: 'Output format: text, markdown, csv or json (default: text)',
        values: ['text', 'markdown', 'csv', 'json'],
      },
      { flag: '--json', text: 'The same as --format json' },
    ],
    run: async (targets, values, io) => (await import('./rules.js')).rulesCommand(target(targets), values, io),
  },
  {
    name: 'graph',
    argument: '[file]',
    text: 'Draw a workflow',
    example: 'wf graph order.wf > order.svg',
    options: [
      { flag: '--format <name>', text: 'Output format: svg, mermaid or json (default: svg)', values: ['svg', 'mermaid', 'json'] },
      { flag: '--cases', text: 'Grey out what no test case reaches' },
      ...input.slice(0, 2),
      { flag: '--mocks <file>', text: 'With --input: use the mock answers in this JSON file' },
      { flag: '--run <id>', text: 'Light the way of this run of a store' },
      otherStore,
    ],
    run: async (targets, values, io) => (await import('./graph.js')).graphCommand(target(targets), values, io),
  },
  {
    name: 'diff',
    argument: '<target...>',
    text: 'Show what changes for whom between two versions of a workflow',
    example: 'wf diff HEAD~1 order.wf',
    options: [
      {
        flag: '--format <name>',
        text: 'Output format: text, markdown or json (default: text)',
        values: ['text', 'markdown', 'json'],
      },
      { flag: '--exit-code', text: 'Exit with 1 if behaviour differs' },
    ],
    run: async (targets, values, io) => (await import('./diff.js')).diffCommand(targets, values, io),
  },
  {
    name: 'explain',
    argument: '[file]',
    text: 'Show which decisions lead to the outcome of a request or a run',
    example: `wf explain order.wf --input '{"total": 120}'`,
    options: [
      ...input,
      { flag: '--mocks <file>', text: 'Use the mock answers in this JSON file' },
      { flag: '--run <id>', text: 'Explain this run of a store' },
      otherStore,
      { flag: '--all', text: 'Show every decision, not only those that led to the outcome' },
      { flag: '--json', text: 'Print one line of JSON' },
    ],
    run: async (targets, values, io) => (await import('./explain.js')).explainCommand(target(targets), values, io),
  },
  {
    name: 'run',
    argument: '<file>',
    text: 'Run a workflow once',
    example: `wf run order.wf --input '{"total": 120}'`,
    options: [
      ...input,
      { flag: '--json', text: 'Print only the response, as one line of JSON' },
      { flag: '--verbose', text: 'Show steps, calls, retries and variables' },
      store,
      { flag: '--wait', text: 'With a store: exit only when the run ends, however long it waits' },
      { flag: '--no-wait', text: 'Without a store: exit with 4 where the run would wait for a person or a message' },
      strictEnv,
      ...mock,
      maxRunMemory,
      { flag: '--record <file>', text: 'Save the answers of the real services for use with --mocks' },
      { flag: '--output-log <path>', text: 'Write a structured log of the run to this file' },
      otel,
      { flag: '--quiet', text: 'Print neither warnings nor log lines' },
    ],
    run: async (targets, values, io) => (await import('./run.js')).runCommand(target(targets), values, io),
  },
  {
    name: 'test',
    argument: '<target...>',
    text: 'Run the test cases of workflows against mock services',
    example: 'wf test workflows/',
    options: [
      ...input,
      { flag: '--mocks <file>', text: 'Use the mock answers in this JSON file' },
      { flag: '--case <name>', text: 'Run only the case with this name, or those whose names contain it' },
      {
        flag: '--format <name>',
        text: 'Output format: text, junit, json or tap (default: text)',
        values: ['text', 'junit', 'json', 'tap'],
      },
      { flag: '--strict', text: 'Count warnings as failures' },
      { flag: '--generate', text: 'Write cases for every way and boundary, marked as generated, for you to review' },
      { flag: '--coverage <percent>', text: 'Fail if the cases reach fewer of the lines and branches' },
      { flag: '--dry-run', text: 'Show the plan of the workflow without running it' },
      { flag: '--verbose', text: 'Show steps, calls, retries and variables' },
      { flag: '--output-log <path>', text: 'Write a structured log of the run to this file' },
    ],
    run: async (targets, values, io) => (await import('./test.js')).testCommand(targets, values, io),
  },
  {
    name: 'serve',
    argument: '<target>',
    text: 'Serve a workflow or a folder of workflows over HTTP',
    example: 'wf serve workflows/ --port 3000',
    options: [
      { flag: '--port <number>', text: 'Port to listen on (default: PORT or 3000)' },
      { flag: '--host <address>', text: 'Address to listen on (default: WF_HOST or 127.0.0.1)' },
      { flag: '--auth-token <token>', text: 'Require this Bearer token; prefer WF_AUTH_TOKEN' },
      { flag: '--tokens <file>', text: 'JSON file with the tokens of callers, viewers and operators (default: WF_TOKENS)' },
      { flag: '--cors', text: 'Let browsers call the server from any origin' },
      { flag: '--cors-origin <origin>', text: 'Let browsers call the server from this origin' },
      { flag: '--allow-origin <origin>', text: 'Let pages of this origin start runs without a token' },
      { flag: '--max-body <size>', text: 'Maximum size of a request body (default: 1mb)' },
      { flag: '--max-concurrent <n>', text: 'Maximum concurrent runs per worker (default: 1000)' },
      maxRunMemory,
      { flag: '--rate-limit <rate>', text: 'Maximum requests of one token or address, such as 100/minute' },
      { flag: '--trust-proxy <n>', text: 'Proxies in front that set X-Forwarded-… (default: 0)' },
      { flag: '--timeout <seconds>', text: 'Time limit of a run; 0 for none (default: the timeout in the file, or 300)' },
      { flag: '--grace <seconds>', text: 'Time to finish runs when the server stops (default: 30)' },
      { flag: '--drain <time>', text: 'Time to keep serving after the signal to stop, such as 5s (default: 0)' },
      { flag: '--workers <n>', text: 'Number of processes that share the port (default: 1)' },
      { flag: '--watch', text: 'Reload files when they change' },
      { flag: '--metrics', text: 'Serve GET /metrics for Prometheus' },
      { flag: '--schedules', text: 'Also run the schedules in the files' },
      { flag: '--catch-up', text: 'With --schedules and a store: make up for missed runs at startup' },
      store,
      keep,
      keepMessages,
      { flag: '--console', text: 'Serve the console at /console; needs a store' },
      { flag: '--operator-token <token>', text: 'Bearer token for people who see and change runs; prefer WF_OPERATOR_TOKEN' },
      publicUrl,
      { flag: '--user-header <name>', text: 'Header in which a trusted proxy names the user' },
      { flag: '--oidc <issuer>', text: 'OpenID provider that signs people in to the console (default: WF_OIDC)' },
      { flag: '--oidc-roles <file>', text: 'JSON file with the roles of its groups (default: WF_OIDC_ROLES)' },
      { flag: '--verbose', text: 'Print one line per request' },
      logFormat,
      { flag: '--output-log <dir>', text: 'Write a structured log of each run to this folder' },
      alert,
      otel,
      strictEnv,
      ...mock,
    ],
    run: async (targets, values, io) => (await import('./serve.js')).serveCommand(target(targets), values, io),
  },
  {
    name: 'schedule',
    argument: '<target>',
    text: 'Run a workflow, or a folder of workflows, on a schedule',
    example: 'wf schedule report.wf --every "Monday at 9:00" --timezone Africa/Lagos',
    options: [
      { flag: '--every <description>', text: 'Schedule in words, such as "day at 9:00" (default: the schedule in the file)' },
      { flag: '--cron <expression>', text: 'Schedule as a cron expression with five fields' },
      { flag: '--timezone <name>', text: "Time zone, such as Europe/Berlin (default: the machine's)" },
      { flag: '--once', text: 'Run once, at the next due time, then exit' },
      { flag: '--jitter <seconds>', text: 'Delay each run by a random time of up to this many seconds' },
      { flag: '--catch-up', text: 'Make up for a missed run at startup; needs --store or --state' },
      { flag: '--state <file>', text: 'Without a store: file in which to record the last run' },
      store,
      keep,
      publicUrl,
      ...input,
      { flag: '--verbose', text: 'Show details of each run' },
      logFormat,
      maxRunMemory,
      alert,
      otel,
      strictEnv,
      ...mock,
      { flag: '--output-log <dir>', text: 'Write a structured log of each run to this folder' },
      { flag: '--timeout <seconds>', text: 'Time limit of a run' },
      { flag: '--grace <seconds>', text: 'Time to finish a run when the scheduler stops (default: 30)' },
    ],
    run: async (targets, values, io) => (await import('./schedule.js')).scheduleCommand(target(targets), values, io),
  },
  {
    name: 'runs',
    argument: '[action...]',
    text: 'Show and change the runs in a store',
    example: 'wf runs list --store ./runs --status waiting',
    actions: [
      { flag: 'list', text: 'List runs, newest first' },
      { flag: 'show <id>', text: 'Show what happened on each line of the workflow' },
      { flag: 'cancel <id>', text: 'End an unfinished run' },
      { flag: 'resume [id]', text: 'Continue a run, or all runs that can continue' },
      { flag: 'retry <id>', text: 'End the wait before a failed call is tried again' },
      { flag: 'skip <id>', text: 'End a wait as if its time had come' },
      { flag: 'rerun <id>', text: 'Run the same request again' },
      { flag: 'erase <id>', text: 'Erase the request, results and log of a finished run' },
      { flag: 'send <message>', text: 'Send a message to the run that waits for it' },
      { flag: 'prune', text: 'Delete finished runs older than --older-than' },
      { flag: 'backup <folder>', text: 'Copy a store in a folder while it is used' },
      { flag: 'export', text: 'Print finished runs as JSON lines' },
      { flag: 'import <file>', text: 'Import the runs that export --complete has printed' },
      { flag: 'rekey', text: 'Encrypt the store with the key in WF_NEW_STORE_KEY' },
      { flag: 'give-up <file>', text: 'Give up the runs in a lost or damaged file of the store' },
    ],
    options: [
      otherStore,
      only('list', { flag: '--workflow <name>', text: 'only runs of this workflow' }),
      only('list', {
        flag: '--status <name>',
        text: 'running, waiting, completed, rejected, error, cancelled or stuck',
        values: ['running', 'waiting', 'completed', 'rejected', 'error', 'cancelled', 'stuck'],
      }),
      only('list', { flag: '--parent <id>', text: 'only runs of workflows that this run has called' }),
      only('list, export', { flag: '--since <time>', text: 'only runs since a date, or 2d, 6h, 30m ago' }),
      only('list, rerun, cancel, resume, retry, erase', {
        flag: '--search <term>',
        text: 'only runs with this id or its beginning, or this value in the request',
      }),
      only('list, rerun, cancel, resume, retry, erase', {
        flag: '--where <filter>',
        text: "all runs that fit, such as 'workflow=refund status=error since=2h'",
      }),
      only('rerun, cancel, resume, retry, erase', { flag: '--rate <rate>', text: 'with --where, how fast, such as 5/second' }),
      only('list', { flag: '--reason <text>', text: 'only runs that failed for this reason, as list shows it' }),
      only('list', { flag: '--by <what>', text: 'group failed and stuck runs by reason', values: ['reason'] }),
      only('list', { flag: '--limit <n>', text: 'how many runs to show (default: 20)' }),
      only('skip', { flag: '--line <n>', text: 'the line of the wait (default: the one that show names)' }),
      only('resume', { flag: '--wait', text: 'exit only when the run ends, however long it waits' }),
      only('rerun', {
        flag: '--from <where>',
        text: 'from start, or from failure, reusing earlier results (default: start)',
        values: ['start', 'failure'],
      }),
      only('rerun', {
        flag: '--again [line]',
        text: 'even if the run has been rerun; with --from failure and a line: send its call in doubt again',
      }),
      only('rerun', {
        flag: '--done <line>',
        text: 'with --from failure, take what follows, as JSON, as the result of this line',
      }),
      only('rerun', { flag: '--current', text: 'use the current file instead of the recorded text' }),
      only('rerun', { flag: '--file <path>', text: 'with --current, where the file is now, if it has moved' }),
      only('export', { flag: '--complete', text: 'all runs, unfinished and unredacted, for import' }),
      only('prune', { flag: '--older-than <time>', text: 'age of the runs to delete, such as 30d' }),
      only('prune, rerun, cancel, resume, retry, erase', { flag: '--dry-run', text: 'count the runs, but change nothing' }),
      only('send', { flag: '--input <json>', text: 'the message, as a JSON object' }),
      only('send', { flag: '--input-file <path>', text: 'the message from a file' }),
      only('send', { flag: '--run <id>', text: 'deliver the message to this run only' }),
      only('send', { ...keepMessages, text: 'how long to keep the message if no run waits for it (default: 7d)' }),
      { flag: '--json', text: 'Print JSON' },
    ],
    run: async (targets, values, io) => (await import('./runs/runs.js')).runsCommand(targets, values, io),
  },
  {
    name: 'tasks',
    argument: '[action...]',
    text: 'Show and answer the questions that people are asked',
    example: 'wf tasks answer <id> approve --by Ada',
    actions: [
      { flag: 'list', text: 'List open questions, the most urgent first' },
      { flag: 'answer <id> <text>', text: 'Answer a question' },
      { flag: 'assign <id> [name]', text: 'Say who has a question; without a name, give it back' },
    ],
    options: [
      otherStore,
      only('list', { flag: '--for <person>', text: 'only questions addressed to this person, or taken by them' }),
      only('answer', { flag: '--comment <text>', text: 'a comment' }),
      only('answer', { flag: '--by <name>', text: 'name of the person who answers' }),
      { flag: '--json', text: 'Print JSON' },
    ],
    run: async (targets, values, io) => (await import('./runs/tasks.js')).tasksCommand(targets, values, io),
  },
  {
    name: 'token',
    argument: '<name>',
    text: 'Make a token, and its entry for the file of --tokens',
    example: 'wf token the-shop --workflows order,refund --expires 2027-12-31',
    options: [
      {
        flag: '--role <role>',
        text: 'caller starts runs, viewer sees everything, operator may do everything (default: caller)',
        values: ['caller', 'viewer', 'operator'],
      },
      { flag: '--workflows <names>', text: 'caller: the only workflows that it may start, such as order,refund' },
      { flag: '--expires <time>', text: 'Until when it works: 2027-12-31, or 30d from now (default: forever)' },
      { flag: '--store <where>', text: 'Record in this store that it was made (default: WF_STORE)' },
    ],
    run: async (targets, values, io) => (await import('./token.js')).tokenCommand(target(targets), values, io),
  },
  {
    name: 'audit',
    argument: '',
    text: 'Print who changed which run, when, and which way, as JSON lines',
    example: 'wf audit --store ./runs --since 7d',
    options: [
      otherStore,
      { flag: '--since <time>', text: 'Only changes since a date, or 2d, 6h, 30m ago' },
      { flag: '--run <id>', text: 'Only changes of this run' },
    ],
    run: async (_targets, values, io) => (await import('./runs/audit.js')).auditCommand(values, io),
  },
  {
    name: 'send',
    argument: '<url>',
    text: 'Send a request to a server, signed as a webhook',
    example: `wf send http://localhost:3000/order --signature github --secret s3cret --input '{"id": 1}'`,
    options: [
      {
        flag: '--signature <maker>',
        text: 'Sign the request as this maker does, such as standard-webhooks or github',
        values: makers,
      },
      { flag: '--secret <text>', text: 'What to sign with' },
      { flag: '--input <json>', text: 'The body (default: {})' },
    ],
    run: async (targets, values, io) => (await import('./send.js')).sendToServer(target(targets), values, io),
  },
  {
    name: 'lsp',
    argument: '',
    text: 'Start the language server, for editors',
    example: 'wf lsp --stdio',
    options: [{ flag: '--stdio', text: 'Talk over standard input and output (always so)' }],
    run: async (_targets, _values, io) => (await import('./lsp.js')).lspCommand(io),
  },
  {
    name: 'playground',
    argument: '[folder]',
    text: 'Write, draw and run workflows in a browser, on this machine',
    example: 'wf playground workflows',
    options: [
      { flag: '--port <number>', text: 'Port to listen on (default: 3030)' },
      { flag: '--write', text: 'Allow the browser to save files of the folder' },
      { flag: '--out <folder>', text: 'Write the playground as files for any web server instead' },
    ],
    run: async (targets, values, io) => (await import('./playground.js')).playgroundCommand(target(targets), values, io),
  },
  {
    name: 'build',
    argument: '<target...>',
    text: 'Build workflows into modules that run without compiling',
    example: 'wf build workflows/ --out dist-wf',
    options: [
      { flag: '--out <dir>', text: 'Output folder (default: dist-wf)' },
      { flag: '--minify', text: 'Minify the modules' },
      { flag: '--target <name>', text: 'Oldest Node.js version to support (default: node18)' },
    ],
    run: async (targets, values, io) => (await import('./build.js')).buildCommand(targets, values, io),
  },
  {
    name: 'init',
    argument: '[folder]',
    text: 'Create sample workflows with test cases and a CI job',
    example: 'wf init my-workflows',
    options: [],
    run: async (targets, _values, io) => (await import('./init.js')).initCommand(targets[0] ?? '.', io),
  },
  {
    name: 'completion',
    argument: '<shell>',
    values: ['bash', 'zsh', 'fish'],
    text: 'Print a completion script for bash, zsh or fish',
    example: 'wf completion bash >> ~/.bashrc',
    options: [],
    run: async (targets, _values, io) => (await import('./completion.js')).completionCommand(target(targets), io),
  },
];
