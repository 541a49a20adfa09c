// The part of memory in which V8 creates objects. Each time it is full, a collection stops the server for half a millisecond.
import { setFlagsFromString } from 'node:v8';

/** From the initial size to the maximum, 1 and 16 MB by default. */
const GROWTH_FACTOR = 16;

/**
 * Lets V8 enlarge it to its maximum in one step, the next time that it does. By default V8 doubles it, and only when enough objects have
 * survived collections; requests leave so few that a busy server would be collected four times as often for minutes. Before a server is
 * ready, this would only make it larger.
 */
export function growNewSpaceAtOnce(): void {
  setFlagsFromString(`--semi-space-growth-factor=${GROWTH_FACTOR}`);
}
