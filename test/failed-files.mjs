// A reporter of node's test runner: the files in which a test failed, one on each line.

/** @param {AsyncIterable<{ type: string, data: any }>} events */
export default async function* failedFiles(events) {
  const files = new Set();
  for await (const { type, data } of events) if (type === 'test:fail' && data.file !== undefined) files.add(data.file);
  yield [...files].join('\n');
}
