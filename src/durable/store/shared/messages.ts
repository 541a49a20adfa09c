// Messages and the runs that wait for them, as every kind of store keeps them in tables.

/** Which fields the waits for a message compare. Reads one row for each answer: any number of runs can wait for the same. */
export const fieldsWaitedFor = (waiters: string, name: string): string => `
WITH RECURSIVE waited(fields) AS (
  SELECT min(fields) FROM ${waiters} WHERE name = ${name}
  UNION ALL SELECT (SELECT min(fields) FROM ${waiters} WHERE name = ${name} AND fields > waited.fields) FROM waited WHERE fields IS NOT NULL
) SELECT fields FROM waited WHERE fields IS NOT NULL`;
