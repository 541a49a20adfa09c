// The files that the pages of the console load.
import { script, style } from 'wf:console-assets';
import type { ConsoleReply } from '../console-options.js';
import { icon } from '../html/icon.js';
import { messagePage } from '../pages/sign-in-page.js';
import { fileReply, pageReply } from './console-reply.js';

/** The file at this path; `undefined` for any path outside the folder of assets. */
export function assetAt([first, folder, name]: readonly string[]): ConsoleReply | undefined {
  if (first !== 'console' || folder !== 'assets') return undefined;
  if (name === script.name) return fileReply(script.text, 'text/javascript; charset=utf-8');
  if (name === style.name) return fileReply(style.text, 'text/css; charset=utf-8');
  if (name === 'icon.svg') return fileReply(icon, 'image/svg+xml');
  return pageReply(404, messagePage('Nothing here', 'Reload the page: this server has another version of the console.'));
}
