// Reaches databases, mail servers and folders for the runs of one process. Each kind is loaded by its first call.
import type { Connectors } from '../../runtime/services/connector-types.js';
import type { Databases } from './database/database.js';

export interface OpenConnectors extends Connectors {
  /** Closes all connections, including those in use. */
  close(): Promise<void>;
}

export function createConnectors(): OpenConnectors {
  let databases: Promise<Databases> | undefined;
  return {
    async perform(task, cancellation) {
      switch (task.kind) {
        case 'database':
          databases ??= import('./database/database.js').then(({ createDatabases }) => createDatabases());
          // The next call tries to load it again.
          databases.catch(() => {
            databases = undefined;
          });
          return (await databases).perform(task, cancellation);
        case 'mail':
          return (await import('./mail/mail.js')).performMail(task, cancellation);
        case 'folder':
          return (await import('./folder/folder.js')).performInFolder(task, cancellation);
      }
    },
    async close() {
      await (await databases)?.close();
    },
  };
}
