// `node test/with-postgres.mjs COMMAND [ARGUMENT...]`: runs a command with a PostgreSQL server, whose address is in WF_TEST_STORE.
import { runBundled } from './run-bundled.mjs';

await runBundled('durable/with-postgres.ts');
