// `/tasks/<id>?key=…`: lets one person answer one question without a token. The key opens only this question, and viewing it answers
// nothing.
import type { TaskView } from '../../../durable/model/run-views.js';
import type { ConsoleReply } from '../../console-options.js';
import { type Html, html, nothing } from '../../html/html.js';
import { notice } from '../../html/notice.js';
import { bareLayout } from '../../html/page-layout.js';
import { valuePart } from '../../html/value-tree.js';
import { pageReply, seeOther } from '../../http/console-reply.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import type { PageContext } from '../console-page.js';
import { answerAs, answeredWords, isRecorded, notTaken, taskForm, typedWords } from './answer-task.js';

/** One message for a wrong id and a wrong key, so that it reveals nothing about existing questions. */
const UNKNOWN = pageReply(
  404,
  bareLayout(
    'No question',
    html`<h1>There is no question at this address</h1><p>Open the complete link from the message again. If it still leads here, ask the sender.</p>`,
  ),
);

const OTHER_ADDRESSEE = pageReply(
  403,
  bareLayout(
    'Not your question',
    html`<h1>This question is addressed to someone else</h1><p>Only that person, and operators, can answer it.</p>`,
  ),
);

/** @param mayAnswer whether the sender may answer a question with this addressee */
export async function taskLink(
  request: ConsoleRequest,
  { store }: Pick<PageContext, 'store'>,
  mayAnswer: (addressee: string | undefined) => Promise<boolean>,
): Promise<ConsoleReply> {
  const id = request.segments[1] ?? '';
  const key = request.query.get('key') ?? '';
  const task = key === '' ? undefined : await store.task(id, key);
  if (task === undefined) return UNKNOWN;
  const address = `/tasks/${encodeURIComponent(id)}?key=${encodeURIComponent(key)}`;
  if (request.isPost && task.status === 'open') {
    if (!(await mayAnswer(task.addressee))) return OTHER_ADDRESSEE;
    const answered = await answerAs(request, id, store);
    if (answered.kind === 'unknown') return UNKNOWN;
    if (answered.kind === 'answered') return seeOther(`${address}&did=answer`);
    const form = { task, title: await titleOf(task, store), address, hidden: nothing, pairsAddress: address };
    const { status, title, content } = await notTaken(answered, form, request, store);
    return pageReply(status, bareLayout(title, html`${content}<p><a href="${address}">Back to the question</a></p>`));
  }
  if (request.isPost && isRecorded(task, request)) return seeOther(`${address}&did=answer`);
  if (task.status !== 'open') {
    const words = request.isPost ? typedWords(task, request) : notice(request);
    return receipt(task, store, words, request.isPost ? 409 : 200);
  }
  const tree = request.query.has('at') ? valuePart(task.pairs, request.query, address) : undefined;
  if (tree !== undefined) {
    return pageReply(
      200,
      request.isPart
        ? tree
        : bareLayout(
            'Part of a question',
            html`<p class="crumbs"><a href="${address}">The question</a></p><h1>Question</h1><div class="card">${tree}</div>`,
          ),
    );
  }
  const form = taskForm({
    task,
    title: await titleOf(task, store),
    address,
    hidden: nothing,
    pairsAddress: address,
    user: request.user,
    now: request.now,
    isOthers: !(await mayAnswer(task.addressee)),
  });
  return pageReply(
    200,
    bareLayout(task.question, html`<article class="card task"><h1><bdi>${task.question}</bdi></h1>${form}</article>`),
  );
}

const titleOf = async (task: TaskView, store: Pick<PageContext['store'], 'get'>): Promise<string> =>
  (await store.get(task.run))?.title ?? task.workflow;

/** The question and its answer, under the name of the workflow. Nothing else of the run. */
async function receipt(task: TaskView, store: PageContext['store'], content: Html, status = 200): Promise<ConsoleReply> {
  return pageReply(
    status,
    bareLayout(
      'Answered',
      html`<h1>${await titleOf(task, store)}</h1>${content}<article class="card"><h2><bdi>${task.question}</bdi></h2><p>${await answeredWords({ ...task, comment: '' }, store, true)}</p></article><p class="hint">You can close this page.</p>`,
    ),
  );
}
