// Shows the location of a store without its password.
/** The location of a store for display: the address of a database without its password. */
export const shownStore = (where: string): string => where.replace(/^([a-z]+:\/\/[^:@/]*):[^@/]*@/i, '$1@');
