// `with client certificate … and key …`: the two files that identify this client.

import type { Run } from '../run/run.js';
import type { ServiceSpec } from '../types.js';
import { type Failure, missingVariable, notSent } from './call-errors.js';
import { filledTemplate, unsetVariables } from './template.js';

export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/** On every system. node:path would be loaded by every standalone module. */
const isAbsolute = (file: string): boolean => /^([\\/]|[A-Za-z]:[\\/])/.test(file);

/** Absolute paths; `undefined` if the service has no certificate. */
export function certificateFiles(run: Run, { clientCertificate }: ServiceSpec): CertificateFiles | Failure | undefined {
  if (clientCertificate === undefined) return undefined;
  // A custom `fetch` can't use one.
  if (run.options.fetch !== undefined || run.options.transport === undefined) {
    return notSent('WF672', "this program can't use client certificates: run the workflow with wf");
  }
  const filled: string[] = [];
  for (const [what, template] of Object.entries(clientCertificate)) {
    const text = filledTemplate(template, run.environment);
    if (text === undefined) return missingVariable(`its client ${what}`, unsetVariables(template, run.environment));
    filled.push(text);
  }
  const folder = run.options.folder ?? process.cwd();
  const [certificate = '', key = ''] = filled.map((file) => (isAbsolute(file) ? file : `${folder}/${file}`));
  return { certificate, key };
}
