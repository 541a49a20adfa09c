// A thread that writes one workbook. Large ones take seconds, in which nothing else would happen. Whoever has the workbook ends the thread: a
// thread that ended by itself could be gone before its message has arrived.
import { parentPort, workerData } from 'node:worker_threads';
import { workbookBytes } from './workbook-bytes.js';

parentPort?.postMessage(workbookBytes(workerData));
parentPort?.on('message', () => undefined);
