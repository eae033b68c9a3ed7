// The days that a damaged store still tells of, without LMDB: from the sound pages of its file. A day is told by its
// head, by each of its blocks and states, and the first and last of a market by the market's entry.

import { fromBufferKey } from 'ordered-binary'
import { DataError } from '../failures.ts'
import type { PartitionKey } from '../partition-key.ts'
import { VENUES } from '../venue.ts'
import { eachEntry } from './check-pages.ts'
import type { PageFile } from './page-file.ts'
import { openMarket } from './stored-values.ts'
import type { LeafNode } from './tree-check.ts'

const DATE = /^\d{4}-\d{2}-\d{2}$/

/** In the order of their keys. */
export function daysInPages(file: PageFile): PartitionKey[] {
  const days = new Map<string, PartitionKey>()
  const add = (venue: unknown, market: unknown, date: unknown) => {
    const known = VENUES.find((each) => each === venue)
    if (known === undefined || typeof market !== 'string' || typeof date !== 'string' || !DATE.test(date)) return
    days.set(`${known} ${market} ${date}`, { venue: known, market, date })
  }
  eachEntry(file, (tree, node) => {
    if (tree === 'slugs' || tree === 'meta') return
    const key = keyOf(node)
    if (key === undefined) return
    const [venue, market, date] = key
    if (tree !== 'markets') return add(venue, market, date)
    for (const each of datesOf(key, node)) add(venue, market, each)
  })
  return [...days].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, day]) => day)
}

/** Undefined for what is none. */
function keyOf({ bytes, keyAt, keyBytes }: LeafNode): string[] | undefined {
  try {
    const key: unknown = fromBufferKey(Buffer.from(bytes.subarray(keyAt, keyAt + keyBytes)))
    return Array.isArray(key) ? (key as string[]) : undefined
  } catch {
    return undefined
  }
}

function datesOf(key: string[], { bytes, valueAt, valueBytes, overflowPage }: LeafNode): string[] {
  if (overflowPage >= 0) return []
  try {
    const { firstDate, lastDate } = openMarket(key, Buffer.from(bytes.subarray(valueAt, valueAt + valueBytes)))
    return [firstDate, lastDate]
  } catch (error) {
    if (error instanceof DataError) return []
    throw error
  }
}
