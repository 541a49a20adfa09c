// Messages and questions of a store on PostgreSQL, under the method names that runs, pages and commands use.
import type { SharedRows } from '../embedded/store-access.js';
import { KeptMessages } from './kept-messages.js';
import { KeptTasks } from './kept-tasks.js';
import type { PostgresDatabase } from './postgres-database.js';
import type { TextSealing } from './text-sealing.js';

export function keptRows(database: PostgresDatabase, sealing: TextSealing): SharedRows {
  const messages = new KeptMessages(database, sealing);
  const tasks = new KeptTasks(database, sealing);
  return {
    wantMessage: (wish) => messages.want(wish),
    sendMessage: (message) => messages.send(message),
    endWait: (run, place, isRecorded) => messages.end(run, place, isRecorded),
    lateMessage: (run, place) => messages.late(run, place),
    readdressMessages: (successors) => messages.readdress(successors),
    openTask: (task) => tasks.open(task),
    recordAnswer: (id, answer, now) => tasks.answer(id, answer, now),
    taskOf: (run, place) => tasks.of(run, place),
    endTask: (run, place) => tasks.end(run, place),
    async endShared(run) {
      await tasks.endAll(run);
      await messages.endAll(run);
    },
    findTask: (id) => tasks.find(id),
    isTaskKey: (id, key) => tasks.isKey(id, key),
    listTasks: (closed, now, limit, offset) => tasks.list(closed, now, limit, offset),
  };
}
