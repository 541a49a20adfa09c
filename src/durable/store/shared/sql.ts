// Values that stores bind to statements and read from columns.
/** Values that can be bound to a statement and returned by a column. */
export type SqlValue = string | number | bigint | Uint8Array | null;
