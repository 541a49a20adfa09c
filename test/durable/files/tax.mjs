// A plugin with an effect that the outside world can see: it sends a request with the key of its call.
export async function call({ parameters, idempotencyKey }) {
  const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
  const answer = await fetch(`${parameters.url}/plugin`, { method: 'POST', headers, body: '{}' });
  return { value: await answer.json() };
}
