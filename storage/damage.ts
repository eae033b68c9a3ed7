// Adds the market and date to corruption errors. Decoders do not know whose bytes they read; callers do.

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
  const sentence = `Stored data of the ${venue} market ${market} on ${date} is damaged`
  return Object.assign(new DataError('block_corrupt', `${sentence} (${what}): ${cause.message}`, sentence), { cause })
}

/** Damage of what is stored of a market or slug as a whole, or of the store. */
export function damageOf(what: string, cause: string): DataError {
  return Object.assign(new DataError('block_corrupt', `The stored ${what} is damaged: ${cause}`), {
    cause: new DataError('block_corrupt', cause),
  })
}

const isUnplaced = (error: unknown): error is DataError =>
  error instanceof DataError && error.code === 'block_corrupt' && error.cause === undefined

/** A part is not in the store: damage, unless a commit has replaced it since its head was read. */
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
