// The root of the project. Tests are bundled elsewhere, and read fixtures from here.
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const root: string = process.env.WF_TEST_ROOT ?? process.cwd();

export const fixture = (...parts: string[]): string => path.join(root, 'fixtures', ...parts);

/** The built command line. */
export const cli: string = path.join(root, 'dist', 'wf.cjs');

/** Seed of the properties: fixed in the tests, so that none fails by chance; varied by `npm run fuzz`. */
export const seed = (own: number): number => Number(process.env.WF_FUZZ_SEED ?? own);

/** The text of a file of a test: `durable/files/part.wf`. */
export const testFile = (name: string): string => readFileSync(path.join(root, 'test', name), 'utf8');

/** Whether tests take their time, as in `.ci/run`: every random case, every mistake, and what starts browsers, editors or npm. */
export const isSlow: boolean = process.env.WF_TEST_SLOW === '1';

/** For `skip`. */
export const skipUnlessSlow: string | false = isSlow ? false : 'slow: WF_TEST_SLOW=1 runs it';

/** How many random cases a property tries. */
export const runs = (whole: number): number => (isSlow ? whole : Math.ceil(whole / 6));

/** In `.ci/run`, which half of `halfOf` is tested: 0 or 1, at random. */
export const half: number | undefined = process.env.WF_TEST_HALF === undefined ? undefined : Number(process.env.WF_TEST_HALF);

/** Half of many that are alike in `.ci/run`, all of them otherwise. */
export const halfOf = <Item>(all: readonly Item[]): readonly Item[] =>
  half === undefined ? all : all.filter((_, index) => index % 2 === half);

/** The ones to test of many that are alike. */
export const someOf = <Item>(all: readonly Item[], part = 4): readonly Item[] =>
  isSlow ? all : all.filter((_, index) => index % part === 0);
