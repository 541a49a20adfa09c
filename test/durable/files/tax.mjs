// A plugin whose effect the world outside can see: it asks there, with the key of its call.
export async function call({ parameters, idempotencyKey }) {
  const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
  const answer = await fetch(`${parameters.url}/plugin`, { method: 'POST', headers, body: '{}' });
  return { value: await answer.json() };
}
