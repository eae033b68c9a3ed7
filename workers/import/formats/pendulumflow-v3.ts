// Reads pendulumflow v3 (archive.pendulumflow.com/formats/v3): an hour of all Polymarket markets in a Parquet file. Its
// layout is `union-event-sorted-v1`: each type of event has its own row groups, sorted by market, token, time and
// sequence.

import type { ArchiveFormat, ArchiveOptions, ArchivePart } from '../archive.ts'
import type { ByteFile } from '../byte-file.ts'
import { ParquetFile } from '../parquet/parquet-file.ts'
import { checkColumns } from './pendulumflow/event-columns.ts'
import { EventCursor } from './pendulumflow/event-cursor.ts'
import { eventRuns } from './pendulumflow/event-runs.ts'
import { MarketWriter } from './pendulumflow/market-writer.ts'

/** Approximate number of rows of a part. A market is not divided between parts. */
const PART_ROWS = 1_000_000
/** Approximate rows of one type of event to read at once. */
const WINDOW_ROWS = 16_384

export const pendulumflowOf = (partRows: number, windowRows = WINDOW_ROWS): ArchiveFormat => ({
  name: 'pendulumflow-v3',
  description: 'hours of all markets of Polymarket by pendulumflow, since 2026-08-18 (Parquet)',
  source: 'pendulumflow-v3',
  clock: 'frame',
  order: 'sequence',
  hashStored: false,
  isRebuilt: true,
  isByMarket: true,
  licence: 'CC BY 4.0',
  attribution: 'pendulumflow (archive.pendulumflow.com)',
  open: (file, options) => readParts(file, options, partRows, windowRows),
})

export const pendulumflowV3 = pendulumflowOf(PART_ROWS)

/** Yields the parts of a file. `next` has one `group:row` for each type of event, joined by commas. It has the empty
 *  text for a type whose rows are all read. */
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
  // Count the skipped rows only in an import that starts at the first part.
  const skippedRows = new Map(options.after === null ? skipped : [])
  await Promise.all(cursors.map((cursor) => cursor.advance()))
  let rowsRead = 0
  for (;;) {
    const part: { -readonly [Key in keyof ArchivePart]: ArchivePart[Key] } = {
      next: null,
      read: async (lines, onProgress) => {
        const rowWriter = new MarketWriter(lines, options, scales, unitsInMs)
        for (const [type, rows] of skippedRows) {
          rowWriter.skip(type, rows)
          rowWriter.rowsRead += rows
        }
        skippedRows.clear()
        while (rowWriter.rowsRead < partRows) {
          const market = firstMarketOf(cursors)
          if (market === undefined) break
          const of = cursors.filter((cursor) => cursor.span?.market === market)
          await rowWriter.write(
            market,
            of.map(({ type, span }) => ({ type, span: span! })),
          )
          for (const cursor of of) await cursor.advance()
        }
        const isEnded = firstMarketOf(cursors) === undefined
        part.next = isEnded ? null : cursors.map(({ place }) => place ?? '').join(',')
        rowsRead += rowWriter.rowsRead
        onProgress(isEnded ? file.byteLength : (file.byteLength * rowsRead) / parquet.rowCount)
        return rowWriter.sums
      },
    }
    yield part
    // If the caller did not read the part, it wants no more parts.
    if (part.next === null) return
  }
}

function firstMarketOf(cursors: readonly EventCursor[]): string | undefined {
  let least: string | undefined
  for (const { span } of cursors) {
    if (span !== undefined && (least === undefined || span.market < least)) least = span.market
  }
  return least
}
