// Validates the options of `wf serve` for its store, and their environment variables.
import type { Environment } from '../../runtime/types.js';
import { readKeep } from '../engine/read-keep.js';
import { readPublicUrl } from '../engine/read-public-url.js';
import { readStorePlace } from '../engine/read-store-place.js';
import { UsageError } from '../engine/usage-error.js';
import { checkToken } from './check-access.js';
import type { ServeOptions, Settings } from './settings.js';

type StoreSettings = Pick<Settings, 'store' | 'operatorToken' | 'console' | 'publicUrl' | 'userHeader' | 'keepMs'>;

/** @throws UsageError that names the option, also if there is a console but no store */
export function readStoreSettings(options: ServeOptions, env: Environment): StoreSettings {
  const store = readStorePlace(options.store, env);
  if (options.console === true && store === undefined)
    throw new UsageError(
      '--console needs a store: it shows the runs that are kept there.',
      'Add --store ./runs, or set WF_STORE.',
    );
  return {
    store,
    operatorToken: readOperatorToken(options, env),
    console: options.console === true,
    publicUrl: readPublicUrl(options.publicUrl, env),
    userHeader: readHeaderName(options.userHeader),
    keepMs: readKeep('--keep', options.keep),
  };
}

/** The option takes precedence over `WF_OPERATOR_TOKEN`. An empty one is an error and never means "no token". */
function readOperatorToken(options: ServeOptions, env: Environment): string | undefined {
  if (options.operatorToken !== undefined) return checkToken('--operator-token', options.operatorToken);
  return env.WF_OPERATOR_TOKEN === undefined ? undefined : checkToken('WF_OPERATOR_TOKEN', env.WF_OPERATOR_TOKEN);
}

function readHeaderName(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(text))
    throw new UsageError(`--user-header must be the name of a header, such as X-Forwarded-User, not ${JSON.stringify(text)}.`);
  return text;
}
