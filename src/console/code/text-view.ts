// Caches the coloured and outlined texts of workflows, the most recent ones.
import { type CodePiece, colourCode } from './colour-code.js';
import { type Outline, outlineOf } from './outline.js';

export interface TextView {
  readonly lines: readonly (readonly CodePiece[])[];
  readonly outline: Outline;
}

const MOST_KEPT = 8;

export function createTextViews(): (text: string) => TextView {
  const kept = new Map<string, TextView>();
  return (text) => {
    const view = kept.get(text) ?? { lines: colourCode(text), outline: outlineOf(text) };
    kept.delete(text);
    kept.set(text, view);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return view;
  };
}
