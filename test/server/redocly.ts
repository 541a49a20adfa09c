// Redocly's linter for OpenAPI documents.

/** It refuses older versions. */
const linterRuns = Number(process.versions.node.split('.')[0]) >= 20;

/** Violations of Redocly's recommended rules. */
export async function redocly(source: string): Promise<string[]> {
  if (!linterRuns) return [];
  const { createConfig, lintFromString } = await import('@redocly/openapi-core');
  // The workflows' owner decides on their licence, so the server can't name it.
  const config = await createConfig({ extends: ['recommended'], rules: { 'info-license': 'off' } });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
}
