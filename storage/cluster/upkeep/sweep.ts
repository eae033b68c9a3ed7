// Removes objects that no row names, after a grace period. First the sweep marks them in the database: from then on no
// commit can name them, however late it comes, and has to write another object. Then it removes the objects, and
// records that. If it is killed in between, the marks stay, and the next sweep continues from them.

import type { ClusterDatabase } from '../database/cluster-database.ts'
import type { Objects } from '../objects/objects.ts'
import { isSegmentKey, SEGMENTS } from '../segment/segment.ts'

export const GRACE_MS = 24 * 3_600_000
/** The shortest grace period. A commit that takes longer than the grace writes its objects again; with a shorter grace
 *  it might never finish. */
export const GRACE_MS_MIN = 3_600_000
/** How long a mark stays after its object is removed. No commit, and no PUT under way, can arrive later than that. */
const MARKS_KEPT_MS = 30 * 24 * 3_600_000
const KEYS_A_PAGE = 1_000

export type SweepParts = { objects: Objects; database: ClusterDatabase }
export type SweepOptions = {
  graceMs?: number
  /** Only reports what would be removed. */
  isDryRun?: boolean
  /** Continues even if the catalogue knows less than a tenth of the objects. */
  isForced?: boolean
  onRemoved?: (report: SweepReport) => void
}

export type SweepReport = {
  /** Objects that rows once named, and their bytes. */
  unnamed: number
  unnamedBytes: number
  /** Objects that no row ever named. */
  unknown: number
  unknownBytes: number
  /** Objects whose keys are not those of segments: they belong to something else, and stay. */
  foreign: number
}

/** Thrown if most objects are unknown to the catalogue: it most likely belongs to another store. */
export class WrongCatalogue extends Error {
  constructor(unknown: number, known: number) {
    super(
      `The catalogue knows ${known} of ${known + unknown} objects that are older than the grace: it is that of another ` +
        'store, or an old copy. Nothing was removed of what it does not know',
    )
  }
}

type Found = { key: string; bytes: number }

/** Runs a sweep. Rejects with DataError('store_unavailable'), and with WrongCatalogue. */
export async function sweep(parts: SweepParts, options: SweepOptions = {}): Promise<SweepReport> {
  const { graceMs = GRACE_MS, isDryRun = false, isForced = false, onRemoved = () => undefined } = options
  if (graceMs < GRACE_MS_MIN) throw new RangeError(`the grace must be at least ${GRACE_MS_MIN} ms, got ${graceMs}`)
  const report: SweepReport = { unnamed: 0, unnamedBytes: 0, unknown: 0, unknownBytes: 0, foreign: 0 }
  const remove = async (found: readonly Found[]) =>
    isDryRun ? found.filter(({ key }) => isSegmentKey(key)) : removed(parts, found, graceMs)
  for (let after = ''; ; ) {
    const found = await parts.database.unnamed(graceMs, { after, limit: KEYS_A_PAGE })
    if (found.length === 0) break
    after = found.at(-1)!.key
    const gone = await remove(found)
    report.unnamed += gone.length
    report.unnamedBytes += bytesIn(gone)
    onRemoved(report)
  }
  const unknown = await unknownObjects(parts, graceMs, report, isForced)
  for (let from = 0; from < unknown.length; from += KEYS_A_PAGE) {
    const gone = await remove(unknown.slice(from, from + KEYS_A_PAGE))
    report.unknown += gone.length
    report.unknownBytes += bytesIn(gone)
    onRemoved(report)
  }
  if (!isDryRun) await parts.database.forgetMarks(MARKS_KEPT_MS)
  return report
}

/** Removes objects and resolves to those that were removed. The others were named by a commit in the meantime, or are
 *  not objects: a commit without pieces has a key but no object. */
async function removed({ objects, database }: SweepParts, found: readonly Found[], graceMs: number): Promise<Found[]> {
  const marked = new Set(
    await database.mark(
      found.map(({ key }) => key),
      graceMs,
    ),
  )
  const gone = found.filter(({ key }) => marked.has(key) && isSegmentKey(key))
  await objects.remove(gone.map(({ key }) => key))
  await database.swept([...marked])
  return gone
}

/** Finds old objects that no row ever named. Their age is measured by the store's own clock, so this machine's clock
 *  does not matter. */
async function unknownObjects(
  { objects, database }: SweepParts,
  graceMs: number,
  report: SweepReport,
  isForced: boolean,
): Promise<Found[]> {
  const nowMs = await objects.nowMs()
  const unknown: Found[] = []
  let known = 0
  let old: Found[] = []
  const ask = async () => {
    const names = new Set(await database.unknown(old.map(({ key }) => key)))
    const found = old.filter(({ key }) => names.has(key))
    unknown.push(...found)
    known += old.length - found.length
    old = []
  }
  for await (const { key, bytes, modifiedMs } of objects.list(SEGMENTS)) {
    if (!isSegmentKey(key)) report.foreign++
    else if (nowMs - modifiedMs >= graceMs) old.push({ key, bytes })
    if (old.length === KEYS_A_PAGE) await ask()
  }
  if (old.length > 0) await ask()
  if (unknown.length > 9 * known && !isForced) throw new WrongCatalogue(unknown.length, known)
  return unknown
}

const bytesIn = (found: readonly Found[]): number => found.reduce((sum, { bytes }) => sum + bytes, 0)
