// Names kinds of services in messages.
import type { Service } from '../2-parse/tree.js';

export const kindNames: Readonly<Record<Service['kind'], string>> = {
  api: 'an API',
  webhook: 'a webhook',
  ai: 'an AI',
  plugin: 'a plugin',
  database: 'a database',
  mail: 'a mail server',
  folder: 'a folder',
  workflow: 'a workflow',
  person: 'a person',
};
