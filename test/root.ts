// The folder of the project: tests are bundled elsewhere, fixtures are read from here.
import path from 'node:path';

export const root: string = process.env.WF_TEST_ROOT ?? process.cwd();

export const fixture = (...parts: string[]): string => path.join(root, 'fixtures', ...parts);

/** The command line that `npm run build` made. */
export const cli: string = path.join(root, 'dist', 'wf.cjs');
