// Removes segments that were loaded long ago. Loads each one again first, and removes it only if the store already had
// every record.

import { rmSync, statSync } from 'node:fs'
import type { Store } from '../../storage/open-store.ts'
import { DAY_MS, utcDate } from '../../storage/units.ts'
import { loadCapture } from '../load/load-capture.ts'
import { findSegment, loadedFolder, type SegmentName, segmentsBelow } from '../segment/segment-folder.ts'
import { segmentFault } from './segment-fault.ts'

/** Report on one segment. `kept` is the reason for keeping it; null if it was removed. */
export type RetentionReport = { segment: SegmentName; bytes: number; kept: string | null }

const CHECK_EVERY_MS = 3_600_000

export class Retention {
  readonly #store: Store
  readonly #dataFolder: string
  readonly #days: number
  #due: SegmentName[] = []
  #checkedMs = Number.NEGATIVE_INFINITY
  /** Segments that were kept. The next process tries them again. */
  readonly #kept = new Set<SegmentName>()

  constructor(store: Store, dataFolder: string, days: number) {
    this.#store = store
    this.#dataFolder = dataFolder
    this.#days = days
  }

  /** Removes the oldest segment that is due, or reports why it is kept. Returns undefined if none is due. Throws
   *  DataError. */
  async removeNext(nowMs: number): Promise<RetentionReport | undefined> {
    const folder = loadedFolder(this.#dataFolder)
    if (this.#due.length === 0 && Math.abs(nowMs - this.#checkedMs) >= CHECK_EVERY_MS) {
      this.#checkedMs = nowMs
      const before = utcDate(nowMs - this.#days * DAY_MS)
      const old = segmentsBelow(folder).filter((name) => dateOf(name) < before && !this.#kept.has(name))
      this.#due = old.sort((a, b) => (dateOf(a) < dateOf(b) ? -1 : 1))
    }
    const segment = this.#due.shift()
    const path = segment && findSegment(folder, segment)
    if (segment === undefined || path === undefined) return undefined
    const { size: bytes } = statSync(path)
    const kept = await this.#whyRetained(path)
    if (kept === null) rmSync(path, { force: true })
    else this.#kept.add(segment)
    return { segment, bytes, kept }
  }

  async #whyRetained(path: string): Promise<string | null> {
    const { error, recordsAdded } = await loadCapture(this.#store, this.#dataFolder, path)
    const fault = error ?? segmentFault(path)
    if (fault !== null) return fault
    return recordsAdded === 0 ? null : `the store did not have ${recordsAdded} of its records, and has them now`
  }
}

/** Returns the date in a segment's name, <venue>/<date>/<file>. */
const dateOf = (name: SegmentName): string => name.split('/')[1]!
