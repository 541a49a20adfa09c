// The package that executes runs on PostgreSQL. Loaded only for such a store, from wf's installation or from the project.
import { createRequire } from 'node:module';
import path from 'node:path';
import { distFolder } from '../../../dist-folder.js';
import { faultCode } from '../../../engine/files/file-fault.js';
import { UsageError } from '../../../engine/usage-error.js';

export type Dbos = typeof import('@dbos-inc/dbos-sdk').DBOS;

const PACKAGE = '@dbos-inc/dbos-sdk';

/** Maximum seconds between attempts of DBOS to reconnect. By default, it may wait for a minute after the database is back. */
const BACKOFF = { initialBackoffSec: 0.1, maxBackoffSec: 1 };

/** @throws UsageError if the package is not installed */
export async function loadDbos(cwd: string): Promise<Dbos> {
  for (const from of [path.join(distFolder, 'wf.cjs'), path.join(cwd, 'wf.cjs')]) {
    const require = createRequire(from);
    try {
      const { DBOS } = require(PACKAGE) as typeof import('@dbos-inc/dbos-sdk');
      setBackoff(require);
      return DBOS;
    } catch (error) {
      if (faultCode(error) !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new UsageError(
    `A store on PostgreSQL needs the package ${PACKAGE}, which is not installed.`,
    `Install it beside wf: npm install ${PACKAGE}`,
  );
}

function setBackoff(require: NodeJS.Require): void {
  try {
    const { dbRetryConfig } = require(`${PACKAGE}/internal/utils`) as { dbRetryConfig?: object };
    if (dbRetryConfig !== undefined) Object.assign(dbRetryConfig, BACKOFF);
  } catch {
    // Another version stores it elsewhere, so runs merely continue a little later after an outage.
  }
}
