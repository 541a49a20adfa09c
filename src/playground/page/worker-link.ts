// Asks the worker, and starts another one if a run takes too long: a loop can't be interrupted from outside.
import type { Asked, WorkerAnswer, WorkerGiven, WorkerQuestion, WorkerReply } from '../protocol.js';

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class WorkerLink {
  /** The first message to a new worker. */
  readonly #greet: (link: WorkerLink) => void;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker;
  #next = 0;

  /** @param first a worker that was started before */
  constructor(first: Worker, greet: (link: WorkerLink) => void) {
    this.#greet = greet;
    this.#worker = this.#start(first);
  }

  #start(worker: Worker): Worker {
    worker.onmessage = ({ data }: MessageEvent<WorkerReply>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if (data.fault === undefined) waiting?.resolve(data.answer);
      else waiting?.reject(new Error(data.fault));
    };
    this.#worker = worker;
    this.#greet(this);
    return worker;
  }

  ask<Name extends WorkerQuestion>(name: Name, given: WorkerGiven<Name>): Promise<WorkerAnswer<Name>> {
    const asked: Asked = { id: this.#next++, name, given };
    return new Promise((resolve, reject) => {
      // The worker answers in the same types.
      this.#waiting.set(asked.id, { resolve: (answer) => resolve(answer as WorkerAnswer<Name>), reject });
      this.#worker.postMessage(asked);
    });
  }

  /** Like `ask`; after so many milliseconds, the worker is replaced and the promise rejected. */
  async askWithin<Name extends WorkerQuestion>(ms: number, name: Name, given: WorkerGiven<Name>): Promise<WorkerAnswer<Name>> {
    const timer = setTimeout(() => this.#restart(), ms);
    try {
      return await this.ask(name, given);
    } finally {
      clearTimeout(timer);
    }
  }

  #restart(): void {
    this.#worker.terminate();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#start(newWorker());
    for (const { reject } of waiting) reject(new Error('It took too long, and was stopped.'));
  }
}
