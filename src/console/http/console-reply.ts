// Builds the console's responses with headers that protect the browser: only the console's own code and styles load, no page can be framed,
// and nothing is cached.
import { createHash } from 'node:crypto';
import { drawing, script, style } from 'wf:console-assets';
import { svgStyle } from '../../diagram/svg-style.js';
import type { ConsoleReply } from '../console-options.js';
import type { Html } from '../html/html.js';
import { icon } from '../html/page-layout.js';
import { messagePage } from '../pages/sign-in-page.js';

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SAFETY: readonly string[] = [
  'Content-Security-Policy',
  POLICY,
  'X-Content-Type-Options',
  'nosniff',
  'X-Frame-Options',
  'DENY',
  // Addresses contain ids, search terms and keys of tasks.
  'Referrer-Policy',
  'same-origin',
  'Cross-Origin-Opener-Policy',
  'same-origin',
  'Cross-Origin-Resource-Policy',
  'same-origin',
];

const HTML = 'text/html; charset=utf-8';

export const pageReply = (status: number, page: Html, headers: readonly string[] = []): ConsoleReply => ({
  status,
  text: page.toString(),
  type: HTML,
  headers: [...SAFETY, 'Cache-Control', 'no-store', ...headers],
});

/** The answer to a form that is not redirected: what did not fit, or a trial. The browser may keep it, so that going back sends nothing again. */
export const keptForBack = (reply: ConsoleReply): ConsoleReply => ({
  ...reply,
  headers: reply.headers.map((header) => (header === 'no-store' ? 'private, no-cache' : header)),
});

/** A value as it is, for programs and for copying. */
export const rawReply = (value: unknown): ConsoleReply => ({
  status: 200,
  text: `${JSON.stringify(value, null, 2)}\n`,
  type: 'application/json; charset=utf-8',
  headers: [...SAFETY, 'Cache-Control', 'no-store'],
});

/** After a change, redirects the browser to a page. Going back or reloading then repeats nothing. */
export const seeOther = (address: string, headers: readonly string[] = []): ConsoleReply => ({
  status: 303,
  text: '',
  type: HTML,
  headers: [...SAFETY, 'Cache-Control', 'no-store', 'Location', address, ...headers],
});

/** A file that never changes under its name. */
const fileReply = (text: string, type: string): ConsoleReply => ({
  status: 200,
  text,
  type,
  headers: [...SAFETY, 'Cache-Control', 'public, max-age=31536000, immutable'],
});

/** Headers of an event stream. */
export const streamHeaders: readonly string[] = [...SAFETY, 'Content-Type', 'text/event-stream', 'Cache-Control', 'no-store'];

/** The style sheet of drawings, which only those who open one load. */
export const drawingStyle = {
  name: `drawing-${createHash('sha256').update(svgStyle).update(drawing.text).digest('hex').slice(0, 12)}.css`,
  text: `${svgStyle}\n${drawing.text}`,
};

/** The file at this path; `undefined` for any path outside the folder of assets. */
export function assetAt([first, folder, name]: readonly string[]): ConsoleReply | undefined {
  if (first !== 'console' || folder !== 'assets') return undefined;
  if (name === script.name) return fileReply(script.text, 'text/javascript; charset=utf-8');
  if (name === style.name) return fileReply(style.text, 'text/css; charset=utf-8');
  if (name === drawingStyle.name) return fileReply(drawingStyle.text, 'text/css; charset=utf-8');
  if (name === 'icon.svg') return fileReply(icon, 'image/svg+xml');
  return pageReply(404, messagePage('Nothing here', 'Reload the page: this server has another version of the console.'));
}
