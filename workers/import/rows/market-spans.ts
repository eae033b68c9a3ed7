// A file that is sorted by market, row group by row group: spans of one market, which may begin in one row group and
// end in another. Rows of a market that goes on are copied, so that no more than one row group is held.

import type { ArchiveFault } from '../archive-fault.ts'
import type { ParquetFile } from '../parquet/parquet-file.ts'
import type { RowGroup, WordColumn } from '../parquet/row-group.ts'
import { AscendingOrder } from './ascending-order.ts'
import { type Columns, rowsOf } from './columns.ts'

/** Rows [start, end) of columns. `firstRow` is that of row 0 of them in the file, from 1 on. */
export type Slice<Of> = { columns: Of; firstRow: number; start: number; end: number }

/** `begins`: `group:row`. */
export type Span<Of> = { market: string; begins: string; slices: Slice<Of>[] }

export type SpanParts<Of> = {
  /** Of the last row group of the part. */
  group: number
  spans: Span<Of>[]
  /** Where the next part begins; null for the last one. */
  next: string | null
}

/** What a format says of its files. */
export type SpanFormat<Of extends Columns> = {
  names: readonly string[]
  market: string
  /** A market as the store names it. Throws Error for what is none. */
  nameOf(cell: Uint8Array): string
  cellOf(market: string): Uint8Array
  /** Columns of the row group before, whose arrays may be used again. */
  columns(group: RowGroup, before: Of | undefined): Of
}

/** A part is a row group, less a market that may go on in the next one, and with what the group before left of one.
 *  Its columns are those of the row group after the next part is asked for. Throws ArchiveFault. */
export async function* spanParts<Of extends Columns>(
  parquet: ParquetFile,
  format: SpanFormat<Of>,
  chosen: ReadonlySet<string> | null,
  [firstGroup, firstRow]: readonly [number, number],
  groups = parquet.groupRows.length,
): AsyncGenerator<SpanParts<Of>> {
  const cells = chosen === null ? null : [...chosen].map(format.cellOf)
  let left: Span<Of> | undefined
  let before: Of | undefined
  for (let group = firstGroup; group < groups; group++) {
    const isLast = group === groups - 1
    const found: Span<Of>[] = []
    if (cells === null || parquet.mayHold(group, format.market, cells)) {
      const { words, places } = (await parquet.group(group, [format.market])).words(format.market)
      const all = marketsIn({ words, places }, group === firstGroup ? firstRow : 0, format, parquet)
      const wanted = all.filter(({ market }) => chosen?.has(market) !== false)
      if (wanted.length > 0) {
        before = format.columns(await parquet.group(group, format.names), before)
        const slice = { columns: before, firstRow: parquet.firstRow(group) + 1 }
        for (const { market, start, end } of wanted) {
          found.push({ market, begins: `${group}:${start}`, slices: [{ ...slice, start, end }] })
        }
      }
    }
    const spans = left === undefined ? found : joined(left, found)
    left = isLast || isEnded(spans.at(-1), parquet, group) ? undefined : copied(spans.pop()!, before!)
    if (spans.length === 0 && !isLast) continue
    yield { group, spans, next: isLast ? null : (left?.begins ?? `${group + 1}:0`) }
  }
}

/** Walks the rows of spans in ascending order of a time of each; those of one time keep the order that they have. */
export class SpanWalk<Of> {
  readonly #order = new AscendingOrder()
  #times = new Float64Array(0)

  walk({ slices }: Span<Of>, timesOf: (columns: Of) => Float64Array, tell: (slice: Slice<Of>, row: number) => void) {
    const total = slices.reduce((sum, { start, end }) => sum + end - start, 0)
    if (this.#times.length < total) this.#times = new Float64Array(2 * total)
    let at = 0
    for (const { columns, start, end } of slices) {
      this.#times.set(timesOf(columns).subarray(start, end), at)
      at += end - start
    }
    const order = this.#order.of(this.#times, total)
    if (slices.length === 1) {
      const slice = slices[0]!
      for (let i = 0; i < total; i++) tell(slice, slice.start + order[i]!)
      return
    }
    const firsts = [0]
    for (const { start, end } of slices) firsts.push(firsts.at(-1)! + end - start)
    for (let i = 0; i < total; i++) {
      const place = order[i]!
      let of = 0
      while (place >= firsts[of + 1]!) of++
      tell(slices[of]!, slices[of]!.start + place - firsts[of]!)
    }
  }
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

const joined = <Of>(left: Span<Of>, [first, ...others]: Span<Of>[]): Span<Of>[] =>
  first?.market === left.market
    ? [{ ...left, slices: [...left.slices, ...first.slices] }, ...others]
    : [left, ...(first === undefined ? [] : [first, ...others])]

/** Whether rows of another market follow in the same row group. */
function isEnded<Of>(last: Span<Of> | undefined, parquet: ParquetFile, group: number): boolean {
  const slice = last?.slices.at(-1)
  return slice === undefined || slice.firstRow + slice.end - 1 !== parquet.firstRow(group) + parquet.groupRows[group]!
}

/** With rows of its own of the row group that is let go. */
function copied<Of extends Columns>(span: Span<Of>, columns: Of): Span<Of> {
  const slices = span.slices.map((slice) => {
    if (slice.columns !== columns) return slice
    const { start, end, firstRow } = slice
    return { columns: rowsOf(columns, start, end), firstRow: firstRow + start, start: 0, end: end - start }
  })
  return { ...span, slices }
}
