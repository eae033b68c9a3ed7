// The limit to connect to a database.

/** Returns how long a connection may take to open, seconds, if a query may take `queryMs`. It is shorter than that, so
 *  that the error of the connection comes first and says why. */
export const connectSeconds = (queryMs: number): number => Math.max(1, Math.floor(queryMs / 1_000) - 1)
