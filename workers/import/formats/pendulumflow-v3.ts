// pendulumflow v3 (archive.pendulumflow.com/formats/v3): an hour of all markets of Polymarket in a file of Parquet. Its
// layout is `union-event-sorted-v1`: each type of event in row groups of its own, by market, token, time and sequence.

import type { ArchiveFormat, ArchiveOptions, ArchivePart } from '../archive.ts'
import type { ByteFile } from '../byte-file.ts'
import { ParquetFile } from '../parquet/parquet-file.ts'
import { checkColumns } from './pendulumflow/event-columns.ts'
import { EventCursor } from './pendulumflow/event-cursor.ts'
import { eventRuns } from './pendulumflow/event-runs.ts'
import { MarketTeller } from './pendulumflow/market-teller.ts'

/** Of one part, roughly: markets are not divided. */
const PART_ROWS = 1_000_000
/** Of one type of event, roughly, that are read at a time. */
const WINDOW_ROWS = 16_384

export const pendulumflowOf = (partRows: number, windowRows = WINDOW_ROWS): ArchiveFormat => ({
  name: 'pendulumflow-v3',
  description: 'hours of all markets of Polymarket by pendulumflow, since 2026-08-18 (Parquet)',
  source: 'pendulumflow-v3',
  clock: 'frame',
  order: 'sequence',
  hashKept: false,
  isRebuilt: true,
  isByMarket: true,
  licence: 'CC BY 4.0',
  attribution: 'pendulumflow (archive.pendulumflow.com)',
  open: (file, options) => readParts(file, options, partRows, windowRows),
})

export const pendulumflowV3 = pendulumflowOf(PART_ROWS)

/** The place of a part has `group:row` of each type of event, joined by commas; one that has ended has none. */
async function* readParts(
  file: ByteFile,
  options: ArchiveOptions,
  partRows: number,
  windowRows: number,
): AsyncGenerator<ArchivePart> {
  const parquet = await ParquetFile.open(file)
  const scales = checkColumns(parquet)
  const { unitsInMs } = parquet.column('timestamp_received', 'timestamp')
  const { runs, skipped } = await eventRuns(parquet)
  const places = options.after?.split(',') ?? []
  const cursors = runs.map(
    (run, i) => new EventCursor(parquet, run, { chosen: options.markets, windowRows }, places[i]),
  )
  // What is not told is counted once.
  const notTold = new Map(options.after === null ? skipped : [])
  await Promise.all(cursors.map((cursor) => cursor.advance()))
  let rowsRead = 0
  for (;;) {
    const part: { -readonly [Key in keyof ArchivePart]: ArchivePart[Key] } = {
      next: null,
      read: async (lines, onProgress) => {
        const teller = new MarketTeller(lines, options, scales, unitsInMs)
        for (const [type, rows] of notTold) {
          teller.skip(type, rows)
          teller.rowsRead += rows
        }
        notTold.clear()
        while (teller.rowsRead < partRows) {
          const market = leastOf(cursors)
          if (market === undefined) break
          const of = cursors.filter((cursor) => cursor.span?.market === market)
          await teller.tell(
            market,
            of.map(({ type, span }) => ({ type, span: span! })),
          )
          for (const cursor of of) await cursor.advance()
        }
        const isEnded = leastOf(cursors) === undefined
        part.next = isEnded ? null : cursors.map(({ place }) => place ?? '').join(',')
        rowsRead += teller.rowsRead
        onProgress(isEnded ? file.byteLength : (file.byteLength * rowsRead) / parquet.rowCount)
        return teller.sums
      },
    }
    yield part
    // Whoever did not read it wants no more.
    if (part.next === null) return
  }
}

function leastOf(cursors: readonly EventCursor[]): string | undefined {
  let least: string | undefined
  for (const { span } of cursors) {
    if (span !== undefined && (least === undefined || span.market < least)) least = span.market
  }
  return least
}
