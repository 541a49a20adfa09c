// Gives executing runs their messages and answers, and reports their progress and waits.
import type { AskedTask, Question, WantedMessage } from '../../../runtime/run/durable-run.js';
import { record } from '../../../runtime/values/record.js';
import { withoutEnd } from '../../../runtime/values/without-end.js';
import type { FoundMessage } from '../journal/journal-host.js';
import { toRunId } from '../model/run-ids.js';
import type { WaitingFor } from '../model/run-views.js';
import type { StoreAccess } from '../store/port.js';
import type { ChangeNews } from './change-news.js';
import type { LiveRun, LiveRunEngine } from './live-run.js';
import { answerTo } from './undelivered.js';

interface RunHostOptions {
  readonly store: StoreAccess;
  readonly news: ChangeNews;
  readonly publicUrl: string | undefined;
  /** Called when a run begins or stops waiting. */
  readonly onWaits: LiveRunEngine['waits'];
}

const DEFAULT_URL = 'http://localhost:3000';

export function createRunHost({ store, news, publicUrl = DEFAULT_URL, onWaits }: RunHostOptions): LiveRunEngine {
  const { shared } = store.client;
  const base = withoutEnd(publicUrl, '/');
  const persistently = <T>(work: () => Promise<T>): Promise<T> => store.persistently?.(work) ?? work();
  /** Others may only drop what is in the journal once it is on disk. */
  const afterCommit = (run: LiveRun, work: () => Promise<void>): void => {
    void run
      .settled()
      .then(work)
      // If something remains, it is found again, and its place is known to have it.
      .catch(() => undefined);
  };
  return {
    async wantMessage(run: LiveRun, place: string, { name, pairs }: WantedMessage, due): Promise<FoundMessage | undefined> {
      run.isAwaited = true;
      return persistently(() => shared.wantMessage({ run: run.id, place, name, pairs, due, now: Date.now() }));
    },
    messageDone: (run, place, isRecorded) => afterCommit(run, () => shared.endWait(run.id, place, isRecorded)),
    async openTask(run: LiveRun, place: string, question: Question, due): Promise<AskedTask> {
      run.isAwaited = true;
      const { service, question: text, addressee, choices, pairs } = question;
      const body = {
        service,
        question: text,
        ...(addressee === undefined ? {} : { addressee }),
        ...(choices === undefined ? {} : { choices }),
        ...(pairs.length === 0 ? {} : { pairs: record(pairs) }),
      };
      const asked = Date.now();
      const { workflow } = run.parts.version;
      const { id, key } = await persistently(() => shared.openTask({ run: run.id, place, workflow, body, asked, due }));
      news.tasks();
      return {
        ...{ task: id, run: toRunId(run.id), question: text, url: `${base}/tasks/${id}?key=${key}` },
        ...(due === undefined ? {} : { due: new Date(due).toISOString() }),
      };
    },
    async answerOf(run, place, isLast = false) {
      if (isLast) await persistently(() => shared.endTask(run.id, place));
      return answerTo(shared, run.id, place);
    },
    taskDone: (run, place) => afterCommit(run, () => shared.endTask(run.id, place)),
    progress: (run: LiveRun) => news.run(run.id, run.status),
    waits(run: LiveRun, waiting: WaitingFor | undefined, due: number | undefined): void {
      news.run(run.id, run.status);
      onWaits(run, waiting, due);
    },
  };
}
