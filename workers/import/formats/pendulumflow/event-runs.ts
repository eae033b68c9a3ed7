// Finds the row groups of each type of event in a file. Each type has one run of row groups.

import type { ParquetFile } from '../../parquet/parquet-file.ts'
import { BOOK_EVENTS } from '../../rows/segments.ts'

/** Row groups [first, end). `type` is an index in `BOOK_EVENTS`. */
export type EventRun = { type: number; first: number; end: number }

const decoder = new TextDecoder()

/** Returns the run of each type in `BOOK_EVENTS`, and `skipped`, the number of rows of each other type. Throws
 *  ArchiveFault if a type has two runs, or if a row group has several types. */
export async function eventRuns(parquet: ParquetFile): Promise<{ runs: EventRun[]; skipped: Map<string, number> }> {
  const runs: EventRun[] = []
  const skipped = new Map<string, number>()
  const seen = new Set<string>()
  let before: string | undefined
  for (let group = 0; group < parquet.groupRows.length; group++) {
    const name = await typeOf(parquet, group)
    if (name !== before && seen.has(name)) throw parquet.fault(`has rows of ${name} in two places, not in one`)
    seen.add(name)
    const type = (BOOK_EVENTS as readonly string[]).indexOf(name)
    if (type < 0) skipped.set(name, (skipped.get(name) ?? 0) + parquet.groupRows[group]!)
    else if (name === before) runs.at(-1)!.end = group + 1
    else runs.push({ type, first: group, end: group + 1 })
    before = name
  }
  return { runs, skipped }
}

/** Returns the type of a row group: from the minimum and maximum in the file's metadata, else from the rows. */
async function typeOf(parquet: ParquetFile, group: number): Promise<string> {
  const range = parquet.rangeOf(group, 'event_type')
  if (range !== undefined && Buffer.compare(range.least, range.greatest) === 0) return decoder.decode(range.least)
  const { places, words } = (await parquet.group(group, ['event_type'])).words('event_type')
  const types = new Set(Array.from(new Set(places), (place) => (place < 0 ? '' : decoder.decode(words.of(place)))))
  if (types.size !== 1) throw parquet.fault(`has a row group of several types of events: ${[...types].join(', ')}`)
  return [...types][0]!
}
