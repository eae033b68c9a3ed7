// Reads a file that is sorted by market, row group by row group, as spans of one market. A span may start in one row
// group and end in another. Columns are read for a few markets at a time. Rows of a market that continues in the next
// row group are copied, so at most one row group is in memory. If the rows of a large market are ordered by time, only
// a few are in memory at a time (long-run.ts).

import type { ArchiveFault } from '../archive-fault.ts'
import type { ParquetFile } from '../parquet/parquet-file.ts'
import type { RowGroup, RowRange, WordColumn } from '../parquet/row-group.ts'
import { AscendingOrder } from './ascending-order.ts'
import type { Columns, Slice } from './columns.ts'
import { LongRun, runsIn } from './long-run.ts'
import { merge, RowCursor } from './merged-rows.ts'

/** Rows of one market. `begins` is the position of the first row, as `group:row`. */
export type Span<Of> = { market: string; begins: string; pieces: (Slice<Of> | LongRun<Of>)[] }

/** Returns the slices of a span whose format has no `times`. */
export function slicesOf<Of>({ pieces }: Span<Of>): Slice<Of>[] {
  return pieces.map((piece) => {
    if (piece instanceof LongRun) throw new Error('the rows of a large market are not held')
    return piece
  })
}

export type SpanParts<Of> = {
  /** The last row group of the part. */
  group: number
  /** Yields the spans; each is valid until the next one. Throws ArchiveFault. */
  spans(): Generator<Span<Of>>
  /** Start of the next part, as `group:row`; null for the last part. */
  next: string | null
}

/** Describes how to read the files of a format. */
export type SpanFormat<Of extends Columns> = {
  names: readonly string[]
  market: string
  /** Approximate number of rows to read at once; a market is not divided. */
  windowRows: number
  /** Returns the market as the store names it. Throws Error if the cell is not a market. */
  nameOf(cell: Uint8Array): string
  cellOf(market: string): Uint8Array
  columns(group: RowGroup, range: RowRange): Of
  /** Returns the times by which rows are emitted; rows with equal times keep file order. */
  times?(group: RowGroup, range: RowRange): Float64Array
}

/** Rows [start, end) of a row group. */
type MarketRows = { market: string; start: number; end: number }

/** Yields the parts of a file. A part is one row group. Its last market moves to the next part, because it may continue
 *  in the next row group. Iterate a part's spans before requesting the next part. Throws ArchiveFault. */
export async function* spanParts<Of extends Columns>(
  parquet: ParquetFile,
  format: SpanFormat<Of>,
  chosen: ReadonlySet<string> | null,
  [firstGroup, firstRow]: readonly [number, number],
  groups = parquet.groupRows.length,
): AsyncGenerator<SpanParts<Of>> {
  const cells = chosen === null ? null : [...chosen].map(format.cellOf)
  let left: Span<Of> | undefined
  for (let group = firstGroup; group < groups; group++) {
    const isLast = group === groups - 1
    let found: MarketRows[] = []
    let rows: RowGroup | undefined
    if (cells === null || parquet.mayHold(group, format.market, cells)) {
      const column = (await parquet.group(group, [format.market])).words(format.market)
      const all = marketsIn(column, group === firstGroup ? firstRow : 0, format, parquet)
      found = all.filter(({ market }) => chosen?.has(market) !== false)
      if (found.length > 0) rows = await parquet.group(group, format.names)
    }
    const reader: GroupReader<Of> = { group, format, rows, firstRow: parquet.firstRow(group) + 1 }
    rows = undefined
    const before: Span<Of> | undefined = left
    // The last market of the row group may continue, even if it fills the whole group.
    const last = isLast || found.at(-1)?.end !== parquet.groupRows[group] ? undefined : found.pop()
    const isSame = last !== undefined && found.length === 0 && before?.market === last.market
    const begins = isSame ? before.begins : last === undefined ? `${group + 1}:0` : `${group}:${last.start}`
    left = undefined
    const finish = () => {
      if (reader.rows === undefined) return
      const [span] = last === undefined ? [] : spansIn(reader, [last])
      left = isSame ? joined(before, span!) : span
      reader.rows = undefined
    }
    const ended = isSame ? undefined : before
    if (found.length > 0 || ended !== undefined || isLast) {
      yield { group, spans: () => spansOf(reader, found, ended, finish), next: isLast ? null : begins }
    }
    finish()
  }
}

/** A market of more than this many windows is read a few rows at a time, if its rows form few runs (long-run.ts). */
const LARGE_WINDOWS = 4

type GroupReader<Of extends Columns> = {
  group: number
  format: SpanFormat<Of>
  rows: RowGroup | undefined
  firstRow: number
}

/** Yields the spans of a part, starting with the market left over from the previous part. Calls `finish` after the last
 *  span, so that memory is released before the spans are stored. */
function* spansOf<Of extends Columns>(
  reader: GroupReader<Of>,
  found: readonly MarketRows[],
  before: Span<Of> | undefined,
  finish: () => void,
): Generator<Span<Of>> {
  const isContinued = before !== undefined && found[0]?.market === before.market
  if (before !== undefined && !isContinued) yield before
  for (let from = 0; from < found.length; ) {
    const { start } = found[from]!
    let to = from + 1
    while (to < found.length && found[to]!.start === found[to - 1]!.end) {
      if (found[to]!.end - start > reader.format.windowRows) break
      to++
    }
    const spans = spansIn(reader, found.slice(from, to))
    if (from === 0 && isContinued) {
      const [first, ...others] = spans
      yield joined(before, first!)
      yield* others
    } else yield* spans
    from = to
  }
  finish()
}

const joined = <Of>(before: Span<Of>, span: Span<Of>): Span<Of> => ({
  ...before,
  pieces: [...before.pieces, ...span.pieces],
})

/** Returns the spans of consecutive markets. */
function spansIn<Of extends Columns>(reader: GroupReader<Of>, markets: readonly MarketRows[]): Span<Of>[] {
  const { group, format, rows, firstRow } = reader
  const { windowRows, times } = format
  const range = { start: markets[0]!.start, end: markets.at(-1)!.end }
  const isLarge = range.end - range.start > LARGE_WINDOWS * windowRows
  const runs = isLarge && times !== undefined ? runsIn(rows!, range, { windowRows, times }) : undefined
  if (runs !== undefined) {
    const pieces = runs.map((run) => new LongRun(rows!, format, run, firstRow))
    return [{ market: markets[0]!.market, begins: `${group}:${range.start}`, pieces }]
  }
  const columns = format.columns(rows!, range)
  return markets.map(({ market, start, end }) => ({
    ...{ market, begins: `${group}:${start}` },
    pieces: [{ columns, firstRow: firstRow + range.start, start: start - range.start, end: end - range.start }],
  }))
}

/** Visits the rows of a span by ascending time; rows with equal times keep their order. */
export class SpanWalk<Of> {
  readonly #order = new AscendingOrder()

  walk({ pieces }: Span<Of>, timesOf: (columns: Of) => Float64Array, onRow: (slice: Slice<Of>, row: number) => void) {
    const [piece] = pieces
    if (pieces.length > 1 || piece instanceof LongRun) return merge(cursorsOf(pieces, timesOf), onRow)
    const { columns, start, end } = piece!
    const order = this.#order.of(timesOf(columns).subarray(start, end), end - start)
    for (let i = 0; i < end - start; i++) onRow(piece!, start + order[i]!)
  }
}

function cursorsOf<Of>(pieces: Span<Of>['pieces'], timesOf: (columns: Of) => Float64Array): RowCursor<Of>[] {
  return pieces.map((piece) => {
    if (piece instanceof LongRun) return new RowCursor(piece.slices(), timesOf)
    const order = new AscendingOrder()
    return new RowCursor([piece].values(), timesOf, ({ columns, start, end }) =>
      order.of(timesOf(columns).subarray(start, end), end - start),
    )
  })
}

function marketsIn(
  { places, words }: WordColumn,
  from: number,
  { nameOf }: { nameOf: (cell: Uint8Array) => string },
  file: { fault(why: string): ArchiveFault },
): { market: string; start: number; end: number }[] {
  const found: { market: string; start: number; end: number }[] = []
  for (let row = from; row < places.length; ) {
    const place = places[row]!
    if (place < 0) throw file.fault('has a row without a market')
    let end = row + 1
    while (end < places.length && places[end] === place) end++
    let market: string
    try {
      market = nameOf(words.of(place))
    } catch (error) {
      throw file.fault((error as Error).message)
    }
    const last = found.at(-1)
    if (last?.market === market) last.end = end
    else found.push({ market, start: row, end })
    row = end
  }
  return found
}
