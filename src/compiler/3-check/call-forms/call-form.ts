// Checks that a call fits the kind of its service: the first word, the parts after the name of the service, and the lines under it.
import type { Call, Service } from '../../2-parse/tree.js';
import type { Checker } from '../checker.js';
import { checkDatabaseCall, checkFolderCall, checkMailCall } from './connector-calls.js';
import { checkHttpCall } from './http-call.js';
import { refuseSending, refuseSqlParts } from './refused-parts.js';
import { checkWorkflowCall } from './workflow-call.js';

type FormCheck = (checker: Checker, call: Call, service: Service) => void;

const checkPlainCall: FormCheck = (checker, call, service) => {
  refuseSqlParts(checker, call, service);
  refuseSending(checker, call, service);
};

const forms: Readonly<Record<Service['kind'], FormCheck>> = {
  api: checkHttpCall,
  webhook: checkHttpCall,
  ai: checkPlainCall,
  plugin: checkPlainCall,
  person: checkPlainCall,
  database: checkDatabaseCall,
  mail: checkMailCall,
  folder: checkFolderCall,
  workflow: checkWorkflowCall,
};

export function checkCallForm(checker: Checker, call: Call, service: Service): void {
  forms[service.kind](checker, call, service);
}
