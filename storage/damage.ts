// Adds the market and date to corruption errors. Decoders do not know whose bytes they read; their callers do.

import { DataError } from './failures.ts'
import type { PartitionKey } from './partition-key.ts'

/** Runs `read`. If it throws DataError('block_corrupt'), adds the market, the date and `what` to the error. */
export function readingOf<T>(key: PartitionKey, what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!isUnplaced(error)) throw error
    throw damageIn(key, what, error)
  }
}

/** Returns the error of a damaged partition. `cause` is the damage without market and date. */
export function damageIn({ venue, market, date }: PartitionKey, what: string, cause: Error): DataError {
  const sentence = `Stored data of the ${venue} market ${market} on ${date} is damaged`
  return Object.assign(new DataError('block_corrupt', `${sentence} (${what}): ${cause.message}`, sentence), { cause })
}

/** Returns the error of damage that belongs to a whole market or slug, or to the store. */
export function damageOf(what: string, cause: string): DataError {
  return Object.assign(new DataError('block_corrupt', `The stored ${what} is damaged: ${cause}`), {
    cause: new DataError('block_corrupt', cause),
  })
}

const isUnplaced = (error: unknown): error is DataError =>
  error instanceof DataError && error.code === 'block_corrupt' && error.cause === undefined

/** Thrown for a part that is not in the store: this is damage unless a commit has replaced the part since its head was
 *  read. */
export class PartGone extends DataError {
  readonly key: PartitionKey

  constructor(key: PartitionKey, what: string) {
    const cause = new DataError('block_corrupt', 'it is missing from the store')
    const { message, forClients } = damageIn(key, what, cause)
    super('block_corrupt', message, forClients)
    Object.assign(this, { cause })
    this.key = key
  }
}
