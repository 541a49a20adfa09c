// `wf tasks`: lists questions to people, answers them, and assigns them.
import { oneLine } from '../../../runtime/values/one-line.js';
import type { DurableEngine } from '../../durable/durable-engine.js';
import type { TaskView } from '../../durable/model/run-views.js';
import { momentInUtc } from '../../durable/views/show-run.js';
import type { Io } from '../../engine/io.js';
import { UsageError } from '../../engine/usage-error.js';
import type { Values } from '../command-spec.js';
import { shellWord } from '../interruption.js';
import { commandActor, optionText, printDone, storeHint, withCommandStore } from './open-command-store.js';

export async function tasksCommand(targets: readonly string[], values: Values, io: Io): Promise<number> {
  const [action = 'list', ...rest] = targets;
  const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (act === undefined)
    throw new UsageError(`wf tasks does not know "${action}".`, 'It knows list, answer and assign: wf tasks answer <id> <text>');
  return withCommandStore('tasks', values, io, (store) => act(store, rest, values, io));
}

async function list(store: DurableEngine, rest: readonly string[], values: Values, io: Io): Promise<number> {
  if (rest[0] !== undefined) throw new UsageError(`Unexpected argument "${rest[0]}".`, 'wf tasks list takes no argument.');
  const tasks: TaskView[] = [];
  let cursor: string | undefined;
  const person = optionText(values, 'for');
  do {
    const page = await store.tasks({
      ...(cursor === undefined ? {} : { cursor }),
      ...(person === undefined ? {} : { for: person }),
    });
    tasks.push(...page.tasks);
    cursor = page.next;
  } while (cursor !== undefined);
  if (values.json === true) io.stdout.write(`${JSON.stringify({ tasks })}\n`);
  else if (tasks.length === 0)
    io.stdout.write(person === undefined ? 'There are no open tasks.\n' : 'There are no open tasks for this person.\n');
  else for (const task of tasks) io.stdout.write(`${textOfTask(task, storeHint(values, io))}\n`);
  return 0;
}

function textOfTask(
  { task, workflow, service, question, addressee, assignee, choices, askedAt, due }: TaskView,
  hint: string,
): string {
  const asked = `  asked ${momentInUtc(askedAt)}${due === undefined ? '' : `, due ${momentInUtc(due)}`}, by ${workflow}`;
  const how = choices === undefined ? '<text>' : choices.map(choiceWord).join(' or ');
  return [
    `${task}  ${service}${addressee === undefined ? '' : ` (${oneLine(addressee)})`}${assignee === undefined ? '' : `, taken by ${oneLine(assignee)}`}`,
    `  ${oneLine(question)}`,
    oneLine(asked),
    `  Answer with: wf tasks answer ${task} ${oneLine(how)}${hint}`,
  ].join('\n');
}

/** As an argument: in double quotes, a shell would replace parts such as `$5`. */
const choiceWord = (choice: string): string => (/[$`"\\!]/.test(choice) ? shellWord(choice) : JSON.stringify(choice));

/** @throws UsageError for a task that can't be answered, or not in this way */
async function answer(store: DurableEngine, [id, ...words]: readonly string[], values: Values, io: Io): Promise<number> {
  if (id === undefined || words.length === 0)
    throw new UsageError(
      'wf tasks answer needs the id of a task and the answer.',
      'For example: wf tasks answer <id> approve --by "Ada"',
    );
  const [comment, by] = [optionText(values, 'comment'), optionText(values, 'by')];
  const reply = {
    answer: words.join(' '),
    ...(comment === undefined ? {} : { comment }),
    ...(by === undefined ? {} : { by }),
  };
  const answered = await store.answer(id, reply, commandActor());
  switch (answered.kind) {
    case 'unknown':
      throw unknownTaskError(id);
    case 'no choice':
      throw new UsageError(`The answer must be one of: ${answered.choices.join(', ')}.`);
    case 'too long':
      throw new UsageError('The answer, the comment or the name has more than 100,000 characters.');
    case 'answered before': {
      const { by: who, answeredAt } = answered.task;
      throw new UsageError(
        `This was answered already${who === undefined ? '' : ` by ${who}`}${answeredAt === undefined ? '' : `, ${momentInUtc(answeredAt)}`}.`,
      );
    }
    case 'over':
      throw new UsageError('No one is waiting for this answer any more: its time has passed, or the run has ended.');
    case 'answered':
      printDone(values, io, answered.task, 'Answered.');
      return 0;
  }
}

/** @throws UsageError for a task that is not open */
async function assign(store: DurableEngine, [id, ...words]: readonly string[], values: Values, io: Io): Promise<number> {
  if (id === undefined)
    throw new UsageError('wf tasks assign needs the id of a task.', 'For example: wf tasks assign <id> ada@example.com');
  const to = words.length === 0 ? undefined : words.join(' ');
  const assigned = await store.assign(id, { to }, commandActor());
  if (assigned.kind === 'unknown') throw unknownTaskError(id);
  if (assigned.kind === 'too long') throw new UsageError('The name has more than 200 characters.');
  if (assigned.kind !== 'assigned') throw new UsageError('This task is not open any more.');
  printDone(values, io, assigned.task, to === undefined ? 'Given back.' : `${oneLine(to)} has it now.`);
  return 0;
}

const unknownTaskError = (id: string): UsageError =>
  new UsageError(`There is no task ${JSON.stringify(id)} in this store.`, 'wf tasks list shows all open tasks.');

const actions: Readonly<Record<string, typeof list>> = { list, answer, assign };
