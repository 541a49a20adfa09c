// Which names a message can have: those that `wait for` can use. A message with another name would be kept for a run that can't exist.
const NAME = /^[\p{L}_](?:[\p{L}\p{Nd}_-]*[\p{L}\p{Nd}_])?$/u;
const LONGEST = 200;

export const isMessageName = (name: string): boolean => NAME.test(name) && name.length <= LONGEST;

/** For messages about a name that is none. */
export const messageNameForms =
  'A message is called what a workflow waits for: letters, digits, "-" and "_", such as payment in "wait for payment".';
