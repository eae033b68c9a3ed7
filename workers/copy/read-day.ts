// Reads a day to copy, and checks every part of it.

import type { CarriedBooks, PartId, PartitionBooks, StoredPart } from '../../storage/block-store.ts'
import { nameOfPart } from '../../storage/block-store.ts'
import { readingOf } from '../../storage/damage.ts'
import { checkedBody } from '../../storage/format/block.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { allParts } from '../partition/needed-parts.ts'
import { carriedInto } from '../partition/opening-books.ts'

/** `start` are the books that the day starts from, and the date of the day that closes with them; null where it starts
 *  from none. */
export type ReadDay = { books: PartitionBooks; parts: StoredPart[]; start: CarriedBooks | null }

/** Without the parts of `known`. Rejects with DataError('block_corrupt'). */
export async function readDay(
  { catalogue, blocks }: Pick<Store, 'catalogue' | 'blocks'>,
  key: PartitionKey,
  head: PartitionHead,
  known: ReadonlySet<string>,
): Promise<ReadDay> {
  const dateBefore = (await catalogue.neighbour(key, 'before'))?.date
  const before = dateBefore === undefined ? undefined : { ...key, date: dateBefore }
  const wanted = allParts(head).filter((part) => !known.has(partName(part)))
  const fetched = await blocks.fetch([
    { key, kind: 'books' },
    ...(before === undefined ? [] : [{ key: before, kind: 'books' } as const]),
    ...wanted.map((part) => ({ key, ...part })),
  ])
  const parts = wanted.map((part) => {
    const bytes = fetched.bytes(key, part)
    readingOf(key, nameOfPart(part), () => checkedBody(bytes))
    return { ...part, bytes }
  })
  const books = fetched.books(key)
  const carried = carriedInto(books, dateBefore)
  if (carried !== undefined) return { books, parts, start: carried }
  const closing = before === undefined ? null : fetched.books(before).closing
  return { books, parts, start: before === undefined ? null : { date: before.date, closing } }
}

export const partName = ({ kind, id, book }: PartId): string => `${kind} ${id} ${book}`
