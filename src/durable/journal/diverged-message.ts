// Says why a run became `stuck` that came to another effect than the recorded one, and what to do.

/** @param changedEnv variables that have other values than when the run started, the usual cause */
export function divergedMessage(recorded: string, found: string, changedEnv: readonly string[]): string {
  const said = `The run took another path than recorded: ${found}, and what was recorded there is ${recorded}. Nothing was sent.`;
  if (changedEnv.length === 0) return said;
  const names = changedEnv.join(', ');
  return changedEnv.length === 1
    ? `${said} The environment variable ${names} has another value than when this run started. Restore it and resume the run, or cancel it.`
    : `${said} Environment variables have other values than when this run started: ${names}. Restore them and resume the run, or cancel it.`;
}
