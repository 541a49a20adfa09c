// Reads the pages of the documentation and their fenced blocks, with the file that each block goes to. CONTRIBUTING.md describes the
// conventions.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../root.js';

export interface CodeBlock {
  /** `README.md:12`, the line of the opening fence. */
  readonly place: string;
  /** First word after the fence; empty if there is none. */
  readonly language: string;
  /** The other words after the fence. */
  readonly marks: readonly string[];
  readonly text: string;
  /** Named by a line directly before the block: `order.wf`: */
  readonly file: string | undefined;
}

export interface Page {
  /** Relative to the root of the project. */
  readonly name: string;
  readonly text: string;
  readonly blocks: readonly CodeBlock[];
}

const FENCE = /^( *)```(.*)$/;

export function readPage(name: string): Page {
  const text = readFileSync(path.join(root, name), 'utf8');
  const lines = text.split('\n');
  const blocks: CodeBlock[] = [];
  let before = '';
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', info] = FENCE.exec(lines[at] ?? '') ?? [];
    if (info === undefined) {
      if (lines[at]?.trim()) before = lines[at]?.trim() ?? '';
      continue;
    }
    const [language = '', ...marks] = info.trim().split(/\s+/);
    const end = lines.indexOf(`${indent}\`\`\``, at + 1);
    if (end === -1) throw new Error(`${name}:${at + 1}: this block has no end`);
    const content = lines.slice(at + 1, end).map((line) => line.slice(indent.length));
    const file = /^`([\w./-]+)`:$/.exec(before)?.[1];
    blocks.push({ place: `${name}:${at + 1}`, language, marks, text: `${content.join('\n')}\n`, file });
    before = '';
    at = end;
  }
  return { name, text, blocks };
}

/** README, CONTRIBUTING, CHANGELOG and everything in docs/. */
export const pages: readonly Page[] = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(path.join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].map(readPage);
