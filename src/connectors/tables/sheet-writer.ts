// A thread that writes one workbook and ends. Large ones take seconds, in which nothing else would happen.
import { parentPort, workerData } from 'node:worker_threads';
import { workbookBytes } from './workbook-bytes.js';

parentPort?.postMessage(workbookBytes(workerData));
