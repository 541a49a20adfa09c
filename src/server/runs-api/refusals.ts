// The refusals of the runs API. One function per case keeps their wording the same on every route.
import type { Refusal } from '../app/refusal.js';

export const malformedKey = (header: string): Refusal => ({
  status: 400,
  error: `The ${header} header is malformed.`,
  hint: 'Send 1 to 255 visible ASCII characters, such as a UUID, in one header.',
});

export const keyInUse = (location: string): Refusal => ({
  status: 409,
  error: 'The first request with this Idempotency-Key is still being processed.',
  hint: `Ask for its state at ${location}, or send this request again later.`,
  headers: ['Location', location, 'Retry-After', '1'],
});

export const keyWithOtherBody = (header: string): Refusal => ({
  status: 422,
  error: `This ${header} was used before with another body.`,
  hint: 'Use a new key for a new request. A repeated request must have the same body.',
});

export const doneBefore = (run: string): Refusal => ({
  status: 409,
  error: 'A run with the same value for "once for each" has completed, and has been deleted since.',
  hint: `Nothing was started. It was run ${run}.`,
});

export const storeUnavailable: Refusal = {
  status: 503,
  error: 'The store cannot be written at the moment.',
  hint: 'Send the request again in a moment; this one did not start anything.',
  headers: ['Retry-After', '5'],
};

export const runUnrecorded = (location: string): Refusal => ({
  status: 503,
  error: 'The store cannot be written at the moment, and the run of this request is not recorded yet.',
  hint: `It may still start when the store can be written again. With an Idempotency-Key, send the same request again to get this run; without one, look for it at ${location} first.`,
  headers: ['Retry-After', '5'],
});

export const storeUnreadable: Refusal = {
  status: 503,
  error: 'The store is not available at the moment.',
  hint: 'Send the request again in a moment.',
  headers: ['Retry-After', '5'],
};

/** The run may be in the damaged part of the store. */
export const partUnreadable = (error: string, hint = ''): Refusal => ({ status: 503, error, hint });

export const unknownRun = (id: string): Refusal => ({
  status: 404,
  error: `There is no run ${JSON.stringify(id.slice(0, 100))}.`,
  hint: 'Finished runs are deleted after a while. Check the id: it came with the answer that started the run, as X-Run-Id.',
});

export const unknownTask = (id: string): Refusal => ({
  status: 404,
  error: `There is no task ${JSON.stringify(id.slice(0, 100))}.`,
  hint: 'Check the id, and the key if you follow a link.',
});

export const signInToAnswer: Refusal = {
  status: 403,
  error: 'People sign in to answer questions on this server.',
  hint: 'Open the link of the question in a browser, or send the token of an operator.',
};

export const otherAddressee: Refusal = {
  status: 403,
  error: 'This question is addressed to someone else.',
  hint: 'Only the person it is addressed to, and operators, can answer it.',
};

export const wrongState = (problem: string, hint = 'Ask for the state of the run with GET /runs/<id>.'): Refusal => ({
  status: 409,
  error: problem,
  hint,
});

export const onlyFromStart = (problem: string): Refusal =>
  wrongState(problem, 'Send {"from": "start"}. Then nothing that the run recorded is used.');

export const alreadyRerun = (problem: string): Refusal => wrongState(problem, 'Send {"again": true} to rerun it once more.');

export const runElsewhere: Refusal = {
  status: 409,
  error: 'Another process is working on this run.',
  hint: 'Wait until that process has released it, or stop that process.',
};

export const operatorsOnly: Refusal = {
  status: 403,
  error: 'This address is for operators.',
  hint: 'Send the token of an operator: "Authorization: Bearer <token>". It is the one of --operator-token or WF_OPERATOR_TOKEN, or one with this role in the file of --tokens.',
};

export const viewersOnly: Refusal = {
  status: 403,
  error: 'A viewer sees everything and changes nothing.',
  hint: 'Send the token of an operator, or of a caller to start runs.',
};

export const runOfOthers: Refusal = {
  status: 403,
  error: 'This token is not for the workflow of this run.',
  hint: 'Nothing was done. Its entry in the file of --tokens names its workflows.',
};

export const operatorsNotConfigured: Refusal = {
  status: 403,
  error: 'This address is for operators, and this server has no operator token.',
  hint: 'Start the server with --operator-token or WF_OPERATOR_TOKEN. Without a token, only requests made on the machine itself, to a server that listens on a loopback address, are accepted; one with a Forwarded or X-Forwarded-… header comes from a proxy, and so from outside.',
};

export const badQuery = (name: string, expected: string): Refusal => ({
  status: 400,
  error: `The query parameter "${name}" is not valid.`,
  hint: `${name} must be ${expected}.`,
});

export const badField = (error: string, hint: string): Refusal => ({ status: 400, error, hint });

export const noSuchChoice = (choices: readonly string[]): Refusal => ({
  status: 400,
  error: 'The answer is not one of the choices.',
  hint: `Answer with one of: ${choices.map((choice) => JSON.stringify(choice)).join(', ')}.`,
});
