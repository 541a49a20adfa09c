// The place of a store as it is shown: without a password.
/** The place of a store as it may be shown: the address of a database without its password. */
export const shownStore = (where: string): string => where.replace(/^([a-z]+:\/\/[^:@/]*):[^@/]*@/i, '$1@');
