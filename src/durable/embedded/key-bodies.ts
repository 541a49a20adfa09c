// What two uses of a key are compared by. Default values depend on the present text of the workflow, so what was sent counts. An imported
// run has only the request that its workflow got.
import type { StartRequest } from '../durable-engine.js';
import type { KeyBodies } from '../store/shared-keys.js';
import { canonicalJson } from './canonical-json.js';

export function keyBodies({ request, sent }: Pick<StartRequest, 'request' | 'sent'>): KeyBodies {
  return sent === undefined ? [canonicalJson(request)] : [canonicalJson(sent), canonicalJson(request)];
}
