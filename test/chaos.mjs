// `npm run chaos -- --seconds N`: runs `test/durable/chaos.ts` against the built command line.
import { runBundled } from './run-bundled.mjs';

await runBundled('durable/chaos.ts');
