// The start of the links to tasks: `--public-url`, or else `WF_PUBLIC_URL`.
import type { Environment } from '../../../runtime/types.js';
import { UsageError } from '../usage-error.js';

/** Without a trailing slash. @throws UsageError that names the option */
export function readPublicUrl(option: string | undefined, env: Environment): string | undefined {
  const text = option ?? (env.WF_PUBLIC_URL || undefined);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new UsageError(
      `--public-url must be the beginning of an address, such as https://wf.example.com, not ${JSON.stringify(text)}.`,
    );
  return text.endsWith('/') ? text.slice(0, -1) : text;
}
