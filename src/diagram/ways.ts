// Places ways side by side: all alike around the axis, or the unusual ones to the right of the usual one.
import type { Canvas, Light } from './svg-parts.js';

/** Pixels between two boxes, one below the other. */
export const GAP = 20;
/** Pixels between two ways, side by side. */
const BETWEEN = 26;

/** Pixels from the middle that nobody would draw a bend for. */
const NEAR = 24;

/** Something with a place to enter at its top and to leave at its bottom, both on its axis. */
export interface PlacedPart {
  /** Pixels to the left and to the right of the axis. */
  readonly left: number;
  readonly right: number;
  readonly height: number;
  /** Nothing leaves it. */
  readonly ends: boolean;
  readonly light: Light;
  readonly draw: (x: number, y: number, canvas: Canvas) => void;
}

/** The shape of a branching where its ways part. */
interface Branching {
  readonly height: number;
  /** Draws it at its top; `from` and `to` are the axes of the outer ways. */
  readonly draw: (x: number, y: number, from: number, to: number, canvas: Canvas) => void;
}

/** Ways of which one is taken. */
export const choice: Branching = { height: 12, draw: (x, y, _from, _to, canvas) => canvas.knot(x, y + 6) };
/** Ways that are taken at the same time. */
export const fork: Branching = {
  height: 10,
  draw: (_x, y, from, to, canvas) => canvas.box([from - 30, y + 3, to - from + 60, 5], 2, 'fork'),
};

/** The largest of many numbers, at least 0. */
export const largest = (values: Iterable<number>): number => {
  let most = 0;
  for (const value of values) most = Math.max(most, value);
  return most;
};

const tallest = (pieces: readonly PlacedPart[]): number => largest(pieces.map(({ height }) => height));

/** Ways around the axis, which meet again unless all of them end. */
export function sideBySide(pieces: readonly PlacedPart[], light: Light, branching: Branching): PlacedPart {
  const axes: number[] = [];
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    axes.push(at + piece.left);
    at += piece.left + piece.right + (index < pieces.length - 1 ? BETWEEN : 0);
  }
  const middle = Math.round(((axes[0] ?? 0) + (axes.at(-1) ?? 0)) / 2);
  // A way that is almost in the middle goes straight down.
  const axis = axes.find((one) => Math.abs(one - middle) < NEAR) ?? middle;
  const below = branching.height + GAP;
  const lowest = below + tallest(pieces);
  const ends = pieces.every((piece) => piece.ends);
  const draw = (x: number, y: number, canvas: Canvas): void => {
    const places = axes.map((one) => x - axis + one);
    const split = y + branching.height / 2;
    const join = y + lowest + GAP;
    for (const [index, piece] of pieces.entries()) {
      const place = places[index] ?? x;
      canvas.line([x, split, place, split, place, y + below - 1], piece.light, true);
      const bottom = y + below + piece.height;
      if (!piece.ends) canvas.line([place, bottom, place, join - 4, x, join - 4, x, join], piece.light, false);
    }
    branching.draw(x, y, places[0] ?? x, places.at(-1) ?? x, canvas);
    for (const [index, piece] of pieces.entries()) piece.draw(places[index] ?? x, y + below, canvas);
  };
  return { left: axis, right: at - axis, height: lowest + (ends ? 0 : GAP), ends, light, draw };
}

/**
 * The usual way goes straight down, from a box or, without one, past a choice; other ways leave it to the right. `isTrouble` says which of
 * them a run takes if something goes wrong.
 */
export function asides(
  box: PlacedPart | undefined,
  pieces: readonly PlacedPart[],
  light: Light,
  isTrouble: readonly boolean[],
): PlacedPart {
  const isTaken = pieces.some((piece) => piece.light === 'lit');
  const straight: Light = light === 'lit' && isTaken && box === undefined ? 'faint' : light;
  const top = box === undefined ? 0 : box.height + 8;
  let at = Math.max(24, (box?.right ?? 0) - 60);
  const axes = pieces.map((piece) => {
    const axis = at + piece.left + 8;
    at = axis + piece.right + BETWEEN - 8;
    return axis;
  });
  const below = top + choice.height + GAP;
  const height = below + tallest(pieces) + (pieces.some((piece) => !piece.ends) ? GAP : 6);
  const draw = (x: number, y: number, canvas: Canvas): void => {
    const split = y + top + choice.height / 2;
    const join = y + height - 8;
    canvas.line([x, y + (box?.height ?? 0), x, y + height], straight, false);
    if (straight !== light) {
      const back = pieces.some((piece) => piece.light === 'lit' && !piece.ends);
      canvas.line([x, y + (box?.height ?? 0), x, split], light, false);
      if (back) canvas.line([x, join, x, y + height], light, false);
    }
    for (const [index, piece] of pieces.entries()) {
      const place = x + (axes[index] ?? 0);
      canvas.line([x, split, place, split, place, y + below - 1], piece.light, true, isTrouble[index] === true);
      if (!piece.ends) canvas.line([place, y + below + piece.height, place, join, x + 1, join], piece.light, true);
    }
    box?.draw(x, y, canvas);
    canvas.knot(x, split);
    if (box === undefined) canvas.text(x - 10, split + 22, 'otherwise', 'number');
    for (const [index, piece] of pieces.entries()) piece.draw(x + (axes[index] ?? 0), y + below, canvas);
  };
  const left = box?.left ?? ROOM_FOR_OTHERWISE;
  return { left, right: Math.max(box?.right ?? 0, at - BETWEEN + 8), height, ends: false, light: box?.light ?? light, draw };
}

const ROOM_FOR_OTHERWISE = 74;
