// Marks the parts of a message that show data. People who run a workflow see them; people who only sent it a request don't.

/** Characters that Unicode reserves for internal use. Text from outside must not contain them. */
const open = '\ufdd0';
const close = '\ufdd1';

/** For messages of a `WfError`: shown at the terminal and in logs, removed from messages that leave this machine. */
export const privatePart = (text: string): string => `${open}${text.replace(/[\ufdd0\ufdd1]/g, '\ufffd')}${close}`;

export const withPrivateParts = (message: string): string => message.replace(/[\ufdd0\ufdd1]/g, '');

export const withoutPrivateParts = (message: string): string =>
  withPrivateParts(message.replace(/\ufdd0[^\ufdd0\ufdd1]*\ufdd1/g, ''));
