// The expected failures of storing, loading and reading data, as one closed set of codes. A bug is reported by an
// assertion and never by one of these codes.

export type DataErrorCode =
  /** Nothing is stored for the requested market. */
  | 'market_not_stored'
  /** A stored block or head does not match its checksum or its format. */
  | 'block_corrupt'
  /** A cursor points into a partition whose earlier records have changed since. */
  | 'cursor_stale'
  /** Too much work is queued already; a later request can succeed. */
  | 'overloaded'
  /** The thread of the request ended or ran out of memory; a retry can succeed. */
  | 'work_lost'
  /** The store cannot be opened or read. */
  | 'store_unavailable'
  /** The objects of a cluster cannot be read or written. */
  | 'blocks_unavailable'
  /** There is no room for the data; nothing of it was written. */
  | 'disk_full'

/** The messages that clients receive for codes whose own message names folders, buckets, hosts or objects. */
const FOR_CLIENTS: Partial<Record<DataErrorCode, string>> = {
  block_corrupt: 'Stored data is damaged',
  store_unavailable: 'The store cannot be read now: try again later',
  blocks_unavailable: 'Stored data cannot be fetched now: try again later',
  disk_full: 'The disk of the server is full: try again later',
}

/** An expected failure. `message` is one plain sentence for the operator, `forClients` one for a client. */
export class DataError extends Error {
  readonly code: DataErrorCode
  readonly forClients: string

  constructor(code: DataErrorCode, message: string, forClients = FOR_CLIENTS[code] ?? message) {
    super(message)
    this.name = 'DataError'
    this.code = code
    this.forClients = forClients
  }
}

/** Returns the error for a store that was written in another format. `what` names the store. */
export const otherFormat = (what: string, found: number, accepted: number): DataError =>
  new DataError(
    'store_unavailable',
    `${what} has format ${found}, and this program accepts format ${accepted}: "backbook export" its markets with the ` +
      'version that wrote it, then "backbook ingest" the files into a new store (docs/operations.md, Upgrades)',
  )
