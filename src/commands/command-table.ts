// Every command with its arguments and options, in one table: the parser, the help texts, shell completion and the docs read it.
import type { Io } from './io.js';

export interface OptionSpec {
  /** `--input <json>`, or `--json` for one without a value. */
  readonly flag: string;
  readonly text: string;
}

/** What the command line gives to a command: option names in camel case; a value as it was written, or `true`. */
export type Values = Readonly<Record<string, string | true | undefined>>;

export interface CommandSpec {
  readonly name: string;
  /** `<file>`: one is needed; `<target...>`: one or more; `[folder]`: may be left out; empty: none. */
  readonly argument: '' | `<${string}>` | `<${string}...>` | `[${string}]`;
  readonly text: string;
  readonly example: string;
  readonly options: readonly OptionSpec[];
  readonly run: (targets: readonly string[], values: Values, io: Io) => Promise<number>;
}

const input: readonly OptionSpec[] = [
  { flag: '--input <json>', text: 'The request, as a JSON object' },
  { flag: '--input-file <path>', text: 'The request from a .json, .csv, .xlsx or .xls file' },
  { flag: '--sheet <name>', text: 'Which sheet of the file to read (the first one)' },
];
const strictEnv: OptionSpec = { flag: '--strict-env', text: 'Fail if an environment variable that the file names is not set' };
const mock: readonly OptionSpec[] = [
  { flag: '--mock', text: 'Use mock services: nothing leaves this machine' },
  { flag: '--mocks <file>', text: 'Answers of your own for the mock services, as JSON' },
];
const target = (targets: readonly string[]): string => targets[0] ?? '';

export const commands: readonly CommandSpec[] = [
  {
    name: 'check',
    argument: '<target...>',
    text: 'Check workflow files without running them',
    example: 'wf check order.wf workflows/ --strict',
    options: [
      { flag: '--format <name>', text: 'text, json, github or sarif (text)' },
      { flag: '--strict', text: 'Warnings count as errors' },
      { flag: '--stdin-filename <name>', text: 'What to call the file that "-" reads from standard input' },
      { flag: '--quiet', text: 'Print nothing for files without errors' },
    ],
    run: async (targets, values, io) => (await import('./check.js')).checkCommand(targets, values, io),
  },
  {
    name: 'run',
    argument: '<file>',
    text: 'Run a workflow once',
    example: `wf run order.wf --input '{"total": 120}'`,
    options: [
      ...input,
      { flag: '--json', text: 'Print exactly the execution response, as one line of JSON' },
      { flag: '--verbose', text: 'Show steps, calls, retries and variables' },
      strictEnv,
      ...mock,
      { flag: '--record <file>', text: 'Write the answers of the real services as a file for --mocks' },
      { flag: '--output-log <path>', text: 'Write the structured log of the run to a file' },
      { flag: '--quiet', text: 'Print no warnings and no log lines' },
    ],
    run: async (targets, values, io) => (await import('./run.js')).runCommand(target(targets), values, io),
  },
  {
    name: 'test',
    argument: '<target...>',
    text: 'Run the test cases of workflows with mock services',
    example: 'wf test workflows/',
    options: [
      ...input,
      { flag: '--mocks <file>', text: 'Answers of your own for the mock services, as JSON' },
      { flag: '--case <name>', text: 'Run only the cases of this name, or with this in their names' },
      { flag: '--dry-run', text: 'Show the plan of the workflow and run nothing' },
      { flag: '--verbose', text: 'Show steps, calls, retries and variables' },
      { flag: '--output-log <path>', text: 'Write the structured log of the run to a file' },
    ],
    run: async (targets, values, io) => (await import('./test.js')).testCommand(targets, values, io),
  },
  {
    name: 'serve',
    argument: '<target>',
    text: 'Serve a workflow, or a folder of them, over HTTP',
    example: 'wf serve workflows/ --port 3000',
    options: [
      { flag: '--port <number>', text: 'Port to listen on (3000)' },
      { flag: '--host <address>', text: 'Address to listen on (0.0.0.0)' },
      { flag: '--auth-token <token>', text: 'Require this Bearer token; better given as WF_AUTH_TOKEN' },
      { flag: '--cors', text: 'Let browsers of every origin call the server' },
      { flag: '--cors-origin <origin>', text: 'Let browsers of this origin call the server' },
      { flag: '--max-body <size>', text: 'Largest request body (1mb)' },
      { flag: '--max-concurrent <n>', text: 'Most runs at once, for each worker (1000)' },
      { flag: '--timeout <seconds>', text: 'Longest time of a run; 0 for none (300)' },
      { flag: '--grace <seconds>', text: 'Time for runs in flight when the server stops (30)' },
      { flag: '--workers <n>', text: 'Processes that share the port (1)' },
      { flag: '--watch', text: 'Take in changed files while the server runs' },
      { flag: '--metrics', text: 'Serve GET /metrics for Prometheus' },
      { flag: '--verbose', text: 'Print one line for each request' },
      strictEnv,
      ...mock,
    ],
    run: async (targets, values, io) => (await import('./serve.js')).serveCommand(target(targets), values, io),
  },
  {
    name: 'schedule',
    argument: '<file>',
    text: 'Run a workflow on a timetable',
    example: 'wf schedule report.wf --every "Monday at 9:00" --timezone Africa/Lagos',
    options: [
      { flag: '--every <description>', text: 'When, in words: "5 minutes", "hour", "day at 9:00", "Monday at 9:00"' },
      { flag: '--cron <expression>', text: 'When, as a cron expression of five fields' },
      { flag: '--timezone <name>', text: "Time zone, such as Europe/Berlin (the machine's)" },
      { flag: '--once', text: 'Run at the next due time, then stop' },
      { flag: '--jitter <seconds>', text: 'Start each run at random within this time' },
      { flag: '--catch-up', text: 'Run at the start if a due time was missed; needs --state' },
      { flag: '--state <file>', text: 'Where to remember the last run' },
      ...input,
      { flag: '--verbose', text: 'Show the details of each run' },
      strictEnv,
      ...mock,
      { flag: '--output-log <dir>', text: 'Folder for one structured log of each run' },
      { flag: '--timeout <seconds>', text: 'Longest time of a run' },
      { flag: '--grace <seconds>', text: 'Time for the run in flight when the scheduler stops (30)' },
    ],
    run: async (targets, values, io) => (await import('./schedule.js')).scheduleCommand(target(targets), values, io),
  },
  {
    name: 'build',
    argument: '<target...>',
    text: 'Build modules that run without compiling',
    example: 'wf build workflows/ --out dist-wf',
    options: [
      { flag: '--out <dir>', text: 'Folder for the modules (dist-wf)' },
      { flag: '--minify', text: 'Make the modules small' },
      { flag: '--target <name>', text: 'What they must run on (node18)' },
    ],
    run: async (targets, values, io) => (await import('./build.js')).buildCommand(targets, values, io),
  },
  {
    name: 'init',
    argument: '[folder]',
    text: 'Set up a folder with a first workflow, its test cases and a CI job',
    example: 'wf init my-workflows',
    options: [],
    run: async (targets, _values, io) => (await import('./init.js')).initCommand(targets[0] ?? '.', io),
  },
  {
    name: 'completion',
    argument: '<shell>',
    text: 'Print the completion script for bash, zsh or fish',
    example: 'wf completion bash >> ~/.bashrc',
    options: [],
    run: async (targets, _values, io) => (await import('./completion.js')).completionCommand(target(targets), io),
  },
];
