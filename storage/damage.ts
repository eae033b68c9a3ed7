// What is said of damage: whose data it is. What decodes bytes does not know that, what reads them does.

import { DataError } from './failures.ts'
import type { PartitionKey } from './partition-key.ts'

/** Runs `read`, and adds to its DataError('block_corrupt') the market and date, and what of them it read. */
export function readingOf<T>(key: PartitionKey, what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!isUnplaced(error)) throw error
    throw damageIn(key, what, error)
  }
}

/** The cause is the damage without its place. */
export function damageIn({ venue, market, date }: PartitionKey, what: string, cause: Error): DataError {
  const message = `Stored data of the ${venue} market ${market} on ${date} is damaged (${what}): ${cause.message}`
  return Object.assign(new DataError('block_corrupt', message), { cause })
}

/** Damage of what is stored of a market or slug as a whole, or of the store. */
export function damageOf(what: string, cause: string): DataError {
  return Object.assign(new DataError('block_corrupt', `The stored ${what} is damaged: ${cause}`), {
    cause: new DataError('block_corrupt', cause),
  })
}

/** What LMDB says of a page that it cannot walk: one that was damaged since the index was checked. */
const LMDB_SAYS = /^MDB_(?:CORRUPTED|PAGE_NOTFOUND|BAD_TXN|CURSOR_FULL|INCOMPATIBLE)\b/

/** A failure of LMDB that is damage of the index. Undefined for any other. */
export function damageToldByLmdb(error: unknown): DataError | undefined {
  if (!(error instanceof Error) || !LMDB_SAYS.test(error.message)) return undefined
  const { message } = damageOf('index of what was asked for', error.message.replace(/\W+$/, ''))
  return Object.assign(new DataError('block_corrupt', message), { cause: error })
}

const isUnplaced = (error: unknown): error is DataError =>
  error instanceof DataError && error.code === 'block_corrupt' && error.cause === undefined
