// The terms for the states of runs, for the terminal.
import { oneLine } from '../../../runtime/one-line.js';
import type { Colour } from '../../compiler/diagnostics/paint.js';
import type { DurableStatus, RunState } from '../../durable/run-views.js';
import { waitingText } from '../../durable/waiting-text.js';

export const statusColour: Readonly<Record<DurableStatus, Colour>> = {
  running: 'grey',
  waiting: 'yellow',
  completed: 'green',
  rejected: 'yellow',
  error: 'red',
  cancelled: 'grey',
  stuck: 'red',
};

/** The state of this run in one line, for someone who waits for it. */
export function stateText({ run, status, waitingFor, message }: RunState): string {
  if (status === 'waiting' && waitingFor !== undefined) return `Run ${run} is waiting ${waitingText(waitingFor)}.`;
  if (status === 'stuck') return `Run ${run} is stuck: ${oneLine(message ?? '')}`;
  if (status === 'cancelled') return `Run ${run} was cancelled${message === undefined ? '' : `: ${oneLine(message)}`}.`;
  return `Run ${run} is ${status}.`;
}

/** 0 completed, 1 error or stuck, 3 rejected, 4 not ended yet. */
export const exitCodeOfState = ({ status }: Pick<RunState, 'status'>): number =>
  ({ completed: 0, rejected: 3, error: 1, cancelled: 1, stuck: 1, running: 4, waiting: 4 })[status];
