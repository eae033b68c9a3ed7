// Checks the catalogue against the objects: every segment that rows name exists with its size, and every piece is
// inside its segment. Commits, compactions and sweeps may run at the same time, so anything that looks damaged is
// checked again.

import { DataError } from '../../failures.ts'
import { rowDamage } from '../../rows/damage/row-damage.ts'
import { below } from '../../rows/keys.ts'
import { pagesOf, type Rows } from '../../rows/rows.ts'
import { VENUES } from '../../venue.ts'
import type { ClusterRows } from '../cluster-rows.ts'
import { ObjectGone, type Objects, ObjectTooShort } from '../objects/objects.ts'
import { nameOfPiece, openPlacement } from '../segment/pieces.ts'
import { SEGMENTS } from '../segment/segment.ts'
import { openSegment, openUnnamed, segmentIn } from '../segment/segment-rows.ts'
import { type StoredPlacement, storedDays } from './stored-days.ts'
import { namedSegments, segmentTotals, unknownKeys } from './stored-segments.ts'

/** The maximum number of sentences about counts. Further damage of this kind most likely has the same cause. */
const COUNTS_MAX = 20

export type CheckedParts = { objects: Objects; rows: ClusterRows }

/** Returns a sentence for each damage. Rejects with DataError('store_unavailable'). */
export async function clusterDamage({ objects, rows }: CheckedParts): Promise<string[]> {
  const damage = await rows.snapshot(rowDamage)
  const sizes = new Map<string, number>()
  for await (const what of objectDamage({ objects, rows }, sizes)) damage.push(what)
  return [...damage, ...(await rows.snapshot((moment) => indexDamage(moment, sizes)))]
}

/** Compares the listed objects with the segments that rows name. Both lists are sorted, so they are compared as they
 *  arrive. */
async function* objectDamage({ objects, rows }: CheckedParts, sizes: Map<string, number>): AsyncGenerator<string> {
  const listed = objects.list(SEGMENTS)[Symbol.asyncIterator]()
  let next = await listed.next()
  for await (const { key, bytes } of namedSegments(rows)) {
    sizes.set(key, bytes)
    while (!next.done && next.value.key < key) next = await listed.next()
    const found = !next.done && next.value.key === key ? next.value.bytes : null
    if (found === bytes) continue
    const what = await checkedAgain({ objects, rows }, { key, bytes }, found)
    if (what !== undefined) yield what
  }
  await listed.return?.()
}

async function checkedAgain(
  { objects, rows }: CheckedParts,
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
  const isSwept = (await unknownKeys(rows, [key])).length > 0
  return isSwept ? undefined : what
}

/** Checks the places of pieces, and the counts of segments, as of one moment. */
async function indexDamage(rows: Rows, sizes: ReadonlyMap<string, number>): Promise<string[]> {
  const damage: string[] = []
  const counts = new Map<string, number>()
  for (const venue of VENUES) {
    for await (const day of storedDays(rows, venue)) damage.push(...dayDamage(day, sizes, counts))
  }
  return [...damage, ...(await countDamage(rows, counts))]
}

function dayDamage(
  { key, placement }: StoredPlacement,
  sizes: ReadonlyMap<string, number>,
  counts: Map<string, number>,
): string[] {
  const place = `of the ${key.venue} market ${key.market} on ${key.date}`
  try {
    const { segments, pieces } = openPlacement(key, placement)
    for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1)
    return pieces.flatMap((piece) => {
      const segment = segments[piece.segment]
      if (segment === undefined) return [`The row ${place} names no segment of its piece ${nameOfPiece(piece)}`]
      // A segment without a size got its row after the objects were listed.
      const end = sizes.get(segment) ?? Number.POSITIVE_INFINITY
      if (piece.start >= 0 && piece.start + piece.length <= end) return []
      return [`The row ${place} says that its piece ${nameOfPiece(piece)} is outside of the object ${segment}`]
    })
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    return [error.message]
  }
}

/** Checks the stored counts. `counts` says how many partitions really name each segment. */
async function countDamage(rows: Rows, counts: Map<string, number>): Promise<string[]> {
  const damage: string[] = []
  const sum = { segments: 0, bytes: 0 }
  for await (const page of pagesOf(rows, below('o'))) {
    for (const { key, value } of page) {
      const segment = segmentIn(key)
      const named = counts.get(segment) ?? 0
      counts.delete(segment)
      const { bytes, count } = openSegment(key, value)
      sum.segments++
      sum.bytes += bytes
      if (count === named) continue
      damage.push(`The segment ${segment} has a count of ${count} partitions that name it, but ${named} do`)
    }
  }
  const unknown = [...counts.keys()].map((segment) => `Partitions name the segment ${segment}, which has no entry`)
  for await (const page of pagesOf(rows, below('q'))) {
    for (const { key, value } of page) openUnnamed(key, value)
  }
  const totals = await segmentTotals(rows)
  if (!Bun.deepEquals(totals, sum)) {
    damage.push(`The catalogue counts ${totals.segments} segments, but has entries for ${sum.segments}`)
  }
  return [...damage, ...unknown].slice(0, COUNTS_MAX)
}
