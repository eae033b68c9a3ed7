// Encodes small values, each behind a checksum that is tied to its key.

import { Packr } from 'msgpackr'
import type { MarketEntry, SlugAnswer } from '../../catalogue.ts'
import { damageOf } from '../../damage.ts'
import { DataError } from '../../failures.ts'
import { assertSealed, openBody, SEAL_BYTES, sealBody } from '../../sealed/seal.ts'
import type { Venue } from '../../venue.ts'
import type { Databases } from './databases.ts'

export type SlugKind = 'event' | 'market'
export type MetaName =
  | 'cursor_secret'
  | 'market_count'
  | 'markets_revision'
  | 'provenance'
  | 'source_order'
  | `last_record_${Venue}`

/** Prefix in `markets`, before venue and market, of the markets that lost all their days. */
export const REMOVED = '-'

/** Length of YYYY-MM-DD. */
const DATE_LENGTH = 10
const packr = new Packr({ useRecords: false })

/** The entry of a market. A market that lost all its days has no dates, and is stored under another key. */
export type StoredMarket = MarketEntry & { base: number }

/** Encodes two dates and four numbers as text, because every `date-range` decodes them. */
export const sealMarket = (key: string[], { firstDate, lastDate, ...counts }: StoredMarket): Uint8Array => {
  const { dateCount, recordCount, revision, base } = counts
  const text = `${firstDate}${lastDate}${dateCount} ${recordCount} ${revision} ${base}`
  return sealBody('markets', key, Buffer.from(text, 'latin1'))
}

export function openMarket(key: string[], bytes: Uint8Array): StoredMarket {
  assertMarket(key, bytes)
  const stored = bytes instanceof Buffer ? bytes : Buffer.from(bytes)
  const text = stored.toString('latin1', SEAL_BYTES)
  const [firstDate, lastDate] = [text.slice(0, DATE_LENGTH), text.slice(DATE_LENGTH, 2 * DATE_LENGTH)]
  const [dateCount, recordCount, revision, base] = text
    .slice(2 * DATE_LENGTH)
    .split(' ')
    .map(Number) as [number, number, number, number]
  return { firstDate, lastDate, dateCount, recordCount, revision, base }
}

/** Checks an entry without decoding it: a list only needs to know that the entry is intact. */
export function assertMarket(key: string[], bytes: Uint8Array): void {
  try {
    assertSealed('markets', key, bytes)
  } catch (error) {
    throw damageOf(`entry of the ${key.join(' market ')}`, messageOf(error))
  }
}

export const sealSlug = (key: string[], answer: SlugAnswer): Uint8Array => sealBody('slugs', key, packr.pack(answer))

export function openSlug(key: string[], bytes: Uint8Array): SlugAnswer {
  try {
    return packr.unpack(openBody('slugs', key, bytes)) as SlugAnswer
  } catch (error) {
    throw damageOf(`answer about the ${key[0]} slug ${key[1]}`, messageOf(error))
  }
}

export const putMeta = ({ meta }: Databases, name: MetaName, value: unknown): void =>
  void meta.putSync(name, sealBody('meta', name, packr.pack(value)))

/** Returns undefined if the value was never stored. */
export function getMeta<T>({ meta }: Databases, name: MetaName): T | undefined {
  const bytes = meta.get(name)
  if (bytes === undefined) return undefined
  try {
    return packr.unpack(openBody('meta', name, bytes)) as T
  } catch (error) {
    throw damageOf(`value ${name} of the whole store`, messageOf(error))
  }
}

function messageOf(error: unknown): string {
  if (error instanceof DataError) return error.message
  return `it cannot be read: ${(error as Error).message}`
}
