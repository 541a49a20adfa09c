// Builds the console's responses with headers that protect the browser: only the console's own code and styles load, no page can be framed,
// and nothing is cached.
import type { ConsoleReply } from '../console-options.js';
import type { Html } from '../html/html.js';

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
  ...['Content-Security-Policy', POLICY],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['X-Frame-Options', 'DENY'],
  // Addresses contain ids, search terms and keys of tasks.
  ...['Referrer-Policy', 'same-origin'],
  ...['Cross-Origin-Opener-Policy', 'same-origin'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
];

const HTML = 'text/html; charset=utf-8';

export const pageReply = (status: number, page: Html, headers: readonly string[] = []): ConsoleReply => ({
  status,
  text: page.toString(),
  type: HTML,
  headers: [...SAFETY, 'Cache-Control', 'no-store', ...headers],
});

/** After a change, redirects the browser to a page. Going back or reloading then repeats nothing. */
export const seeOther = (address: string, headers: readonly string[] = []): ConsoleReply => ({
  status: 303,
  text: '',
  type: HTML,
  headers: [...SAFETY, 'Cache-Control', 'no-store', 'Location', address, ...headers],
});

/** A file that never changes under its name. */
export const fileReply = (text: string, type: string): ConsoleReply => ({
  status: 200,
  text,
  type,
  headers: [...SAFETY, 'Cache-Control', 'public, max-age=31536000, immutable'],
});

/** Headers of an event stream. */
export const streamHeaders: readonly string[] = [...SAFETY, 'Content-Type', 'text/event-stream', 'Cache-Control', 'no-store'];
