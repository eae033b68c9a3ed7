// The time limit for a connection to a database.

/** Returns the time limit to open a connection, seconds. It is shorter than `queryMs`, the limit of a query, so that
 *  the connection's own error comes first and states the cause. */
export const connectSeconds = (queryMs: number): number => Math.max(1, Math.floor(queryMs / 1_000) - 1)
