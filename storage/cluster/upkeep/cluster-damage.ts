// Checks the catalogue against the objects: every segment that rows name exists with its size, and every piece is
// inside its segment. Commits, compactions and sweeps may run at the same time, so anything that looks damaged is
// checked again.

import { DataError } from '../../failures.ts'
import type { PartitionKey } from '../../partition-key.ts'
import { VENUES, type Venue } from '../../venue.ts'
import type { ClusterDatabase, DayRow, DaysOf } from '../database/cluster-database.ts'
import { ObjectGone, type Objects, ObjectTooShort } from '../objects/objects.ts'
import { nameOfPiece, openPieces } from '../segment/pieces.ts'
import { SEGMENTS } from '../segment/segment.ts'

const DAYS_AT_ONCE = 500

export type CheckedParts = { objects: Objects; database: ClusterDatabase }

/** Returns a sentence for each damage. Rejects with DataError('store_unavailable'). */
export async function clusterDamage(parts: CheckedParts): Promise<string[]> {
  const damage = await parts.database.damage()
  const sizes = new Map<string, number>()
  for await (const what of objectDamage(parts, sizes)) damage.push(what)
  for await (const what of indexDamage(parts.database, sizes)) damage.push(what)
  return damage
}

/** Both lists are sorted, so they are compared as they arrive. */
async function* objectDamage({ objects, database }: CheckedParts, sizes: Map<string, number>): AsyncGenerator<string> {
  const listed = objects.list(SEGMENTS)[Symbol.asyncIterator]()
  let next = await listed.next()
  for await (const { key, bytes } of database.segments()) {
    sizes.set(key, bytes)
    while (!next.done && next.value.key < key) next = await listed.next()
    const found = !next.done && next.value.key === key ? next.value.bytes : null
    if (found === bytes) continue
    const what = await checkedAgain({ objects, database }, { key, bytes }, found)
    if (what !== undefined) yield what
  }
  await listed.return?.()
}

async function checkedAgain(
  { objects, database }: CheckedParts,
  { key, bytes }: { key: string; bytes: number },
  listed: number | null,
): Promise<string | undefined> {
  let what: string
  try {
    await objects.read({ key, start: bytes - 1, length: 1 })
    if (listed === null) return undefined
    what = `The object ${key} has ${listed} bytes, and the catalogue says ${bytes}`
  } catch (error) {
    if (error instanceof ObjectGone) what = `The object ${key} is missing, and rows name it`
    else if (error instanceof ObjectTooShort) what = `The object ${key} ends before its byte ${bytes}`
    else throw error
  }
  const isSwept = (await database.unknown([key])).length > 0
  return isSwept ? undefined : what
}

async function* indexDamage(database: ClusterDatabase, sizes: ReadonlyMap<string, number>): AsyncGenerator<string> {
  for (const venue of VENUES) {
    for await (const queries of marketsOf(database, venue)) {
      const answers = await database.days(queries)
      for (const [index, { days }] of answers.entries()) {
        const { market } = queries[index]!
        for (const day of days) yield* dayDamage({ venue, market, date: day.date }, day, sizes)
      }
    }
  }
}

/** Groups days into queries of limited size. */
async function* marketsOf(database: ClusterDatabase, venue: Venue): AsyncGenerator<DaysOf[]> {
  let queries: DaysOf[] = []
  let count = 0
  for await (const { market, date } of database.partitions(venue)) {
    const last = queries.at(-1)
    if (last?.market === market) queries[queries.length - 1] = { ...last, dates: [...last.dates, date] }
    else queries.push({ venue, market, dates: [date] })
    if (++count < DAYS_AT_ONCE) continue
    yield queries
    queries = []
    count = 0
  }
  if (queries.length > 0) yield queries
}

function dayDamage(key: PartitionKey, { pieces, segments }: DayRow, sizes: ReadonlyMap<string, number>): string[] {
  const place = `of the ${key.venue} market ${key.market} on ${key.date}`
  try {
    return openPieces(key, pieces).flatMap((piece) => {
      const segment = segments[piece.segment]
      if (segment === undefined) return [`The row ${place} names no segment of its piece ${nameOfPiece(piece)}`]
      // A segment that was missing when the objects were listed is newer than the list.
      const end = sizes.get(segment) ?? Number.POSITIVE_INFINITY
      if (piece.start >= 0 && piece.start + piece.length <= end) return []
      return [`The row ${place} says that its piece ${nameOfPiece(piece)} is outside of the object ${segment}`]
    })
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    return [error.message]
  }
}
