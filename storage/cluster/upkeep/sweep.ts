// Removes objects that no partition names, after a grace period. If a commit has named an object and no partition names
// it any more, no later commit names it again: the sweep removes the object, and then its row. An object without a row
// may belong to a commit that is under way, so the sweep removes it only when it is 30 days old. If a sweep is killed,
// the next one finds the same objects.

import type { Rows } from '../../rows/rows.ts'
import type { ListedObject, Objects } from '../objects/objects.ts'
import { isSegmentKey, SEGMENTS } from '../segment/segment.ts'
import { forgetSegments, unknownKeys, unnamedSegments } from './stored-segments.ts'

export const GRACE_MS = 24 * 3_600_000
/** The shortest grace period. A slow process may still read pieces where they were before a commit. */
export const GRACE_MS_MIN = 3_600_000
/** The age at which an object without a row is removed. No commit, and no PUT under way, can arrive later than that. */
export const UNKNOWN_MS = 30 * 24 * 3_600_000
const KEYS_A_PAGE = 1_000

export type SweepParts = { objects: Objects; rows: Rows }
export type SweepOptions = {
  graceMs?: number
  /** Only reports what would be removed. */
  isDryRun?: boolean
  /** Continues even if the catalogue knows less than a tenth of the objects. */
  isForced?: boolean
  onRemoved?: (report: SweepReport) => void
}

export type SweepReport = {
  /** Objects that partitions once named, and their bytes. */
  unnamed: number
  unnamedBytes: number
  /** Objects that no partition ever named. */
  unknown: number
  unknownBytes: number
  /** Objects whose keys are not those of segments: they belong to something else, and stay. */
  foreign: number
}

/** Thrown if most objects are unknown to the catalogue: it most likely belongs to another store. */
export class WrongCatalogue extends Error {
  constructor(unknown: number, known: number) {
    super(
      `The catalogue knows ${known} of ${known + unknown} objects that are old enough to remove: it belongs to ` +
        'another store, or is an old copy. No unknown object was removed',
    )
  }
}

type Found = { key: string; bytes: number }

/** Runs a sweep. Rejects with DataError('store_unavailable'), and with WrongCatalogue. */
export async function sweep(parts: SweepParts, options: SweepOptions = {}): Promise<SweepReport> {
  const { graceMs = GRACE_MS, isDryRun = false, isForced = false, onRemoved = () => undefined } = options
  if (graceMs < GRACE_MS_MIN) throw new RangeError(`the grace must be at least ${GRACE_MS_MIN} ms, got ${graceMs}`)
  const report: SweepReport = { unnamed: 0, unnamedBytes: 0, unknown: 0, unknownBytes: 0, foreign: 0 }
  const { objects, rows } = parts
  // Takes the time from the object store, so the clock of this machine does not matter.
  const nowMs = await objects.nowMs()
  for await (const found of unnamedSegments(rows, nowMs - graceMs)) {
    report.unnamed += found.length
    report.unnamedBytes += bytesIn(found)
    if (isDryRun) continue
    await objects.remove(keysOf(found))
    await forgetSegments(rows, keysOf(found))
    onRemoved(report)
  }
  const unknown = await unknownObjects(parts, { nowMs, graceMs, isForced }, report)
  for (let from = 0; from < unknown.length; from += KEYS_A_PAGE) {
    const found = unknown.slice(from, from + KEYS_A_PAGE)
    if (!isDryRun) await objects.remove(keysOf(found))
    report.unknown += found.length
    report.unknownBytes += bytesIn(found)
    onRemoved(report)
  }
  return report
}

/** Finds objects that no commit has named and that are old enough to remove. */
async function unknownObjects(
  { objects, rows }: SweepParts,
  { nowMs, graceMs, isForced }: { nowMs: number; graceMs: number; isForced: boolean },
  report: SweepReport,
): Promise<Found[]> {
  const unknown: Found[] = []
  let known = 0
  let old: ListedObject[] = []
  const ask = async () => {
    const names = new Set(await unknownKeys(rows, keysOf(old)))
    const found = old.filter(({ key }) => names.has(key))
    unknown.push(...found.filter(({ modifiedMs }) => modifiedMs <= nowMs - UNKNOWN_MS))
    known += old.length - found.length
    old = []
  }
  for await (const object of objects.list(SEGMENTS)) {
    if (!isSegmentKey(object.key)) report.foreign++
    else if (object.modifiedMs <= nowMs - graceMs) old.push(object)
    if (old.length === KEYS_A_PAGE) await ask()
  }
  if (old.length > 0) await ask()
  if (unknown.length > 9 * known && !isForced) throw new WrongCatalogue(unknown.length, known)
  return unknown
}

const keysOf = (found: readonly Found[]): string[] => found.map(({ key }) => key)
const bytesIn = (found: readonly Found[]): number => found.reduce((sum, { bytes }) => sum + bytes, 0)
