// The worker of the playground: answers the questions of the page, one after the other. Imports the compiler and the runtime.
import { examples } from 'wf:examples';
import type { Asked, Questions, WorkerGiven, WorkerQuestion } from '../protocol.js';
import { formatted, hovered, knowFiles, look, proposals, views } from './language.js';
import { type Evaluate, runHere } from './run.js';

/** The globals of a worker, of which the types of Node.js know only a part. */
declare const self: {
  onmessage: (message: { readonly data: Asked }) => void;
  postMessage: (message: unknown) => void;
  importScripts: (address: string) => void;
  wfModule?: ReturnType<Evaluate> | undefined;
};

/** Loads the code from an address of this page's own, because its policy forbids `eval`. */
const evaluate: Evaluate = (code) => {
  const address = URL.createObjectURL(
    new Blob([`self.wfModule=(exports,require)=>{"use strict";${code}\n}`], { type: 'text/javascript' }),
  );
  try {
    self.importScripts(address);
  } finally {
    URL.revokeObjectURL(address);
  }
  const { wfModule } = self;
  if (wfModule === undefined) throw new Error('The module was not loaded');
  self.wfModule = undefined;
  return wfModule;
};

const answers: Questions = {
  examples() {
    knowFiles(examples);
    return examples;
  },
  know({ files }) {
    knowFiles(files);
    return true;
  },
  look,
  views,
  complete: proposals,
  hover: hovered,
  format: formatted,
  run: (given) => runHere(given, evaluate),
};

async function answer<Name extends WorkerQuestion>(id: number, name: Name, given: WorkerGiven<Name>): Promise<void> {
  try {
    const question = answers[name] as (given: WorkerGiven<Name>) => unknown;
    self.postMessage({ id, answer: await question(given) });
  } catch (error) {
    self.postMessage({ id, fault: error instanceof Error ? error.message : 'unknown' });
  }
}

self.onmessage = ({ data: { id, name, given } }) => {
  void answer(id, name, given as WorkerGiven<typeof name>); // the page asks in the same types
};
