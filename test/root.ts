// The folder of the project: tests are bundled elsewhere, fixtures are read from here.
import path from 'node:path';

export const root: string = process.env.WF_TEST_ROOT ?? process.cwd();

export const fixture = (...parts: string[]): string => path.join(root, 'fixtures', ...parts);

/** The command line that `npm run build` made. */
export const cli: string = path.join(root, 'dist', 'wf.cjs');

/** The seed of a property: the same in each test run, so that none fails by chance; another one under `npm run fuzz`. */
export const seed = (own: number): number => Number(process.env.WF_FUZZ_SEED ?? own);
