// Reads a file whose rows are batches, not sorted by market. The rows of a batch share one receipt time. A part is
// one row group without its last batch, which moves to the next part because it may continue in the next row group.

import type { ParquetFile } from '../parquet/parquet-file.ts'
import type { RowGroup, WordColumn } from '../parquet/row-group.ts'
import { type Columns, rowsOf, type Slice } from './columns.ts'

export type BatchColumns = Columns & { receivedMs: Float64Array; markets: WordColumn }

export type BatchFormat<Of extends BatchColumns> = {
  names: readonly string[]
  /** Name of the market column. */
  market: string
  columns(group: RowGroup): Of
  /** Returns the market as the store names it; the empty text for a row without a market. */
  marketOf(markets: WordColumn, at: number): string
}

export type BatchPart<Of> = {
  group: number
  /** Rows of each market, in file order. */
  markets: Map<string, BatchRows<Of>>
}

export class BatchRows<Of> {
  readonly #slices: Slice<Of>[] = []
  readonly #of: number[] = []
  readonly #at: number[] = []

  get count(): number {
    return this.#at.length
  }

  add(slice: Slice<Of>, at: number): void {
    if (this.#slices.at(-1) !== slice) this.#slices.push(slice)
    this.#of.push(this.#slices.length - 1)
    this.#at.push(at)
  }

  sliceOf(row: number): Slice<Of> {
    return this.#slices[this.#of[row]!]!
  }

  atOf(row: number): number {
    return this.#at[row]!
  }
}

/** Yields the parts of a file. For a row group without a row of a chosen market, reads only the market column. Throws
 *  ArchiveFault. */
export async function* batchParts<Of extends BatchColumns>(
  parquet: ParquetFile,
  format: BatchFormat<Of>,
  chosen: ReadonlySet<string> | null,
): AsyncGenerator<BatchPart<Of>> {
  const groups = parquet.groupRows.length
  let left: Slice<Of>[] | undefined
  for (let group = 0; group < groups; group++) {
    // Keep `left`: its batch may continue after this row group.
    if (chosen !== null && !(await hasChosenRow(parquet, group, format, chosen))) continue
    const columns = format.columns(await parquet.group(group, format.names))
    const rows = parquet.groupRows[group]!
    const isLast = group === groups - 1
    const isSame = left !== undefined && lastTime(left) === columns.receivedMs[0]
    const end = isLast ? rows : beginOfLast(columns.receivedMs, rows)
    const slice = { columns, firstRow: parquet.firstRow(group) + 1, start: 0, end }
    const slices: Slice<Of>[] = [...(left ?? []), slice]
    const isAllOne: boolean = !isLast && end === 0 && (left === undefined || isSame)
    const lastBatch = copyOf(columns, slice.firstRow, end, rows)
    if (isAllOne) {
      left = [...(left ?? []), lastBatch]
      continue
    }
    left = isLast ? undefined : [lastBatch]
    yield { group, markets: byMarket(slices, format, chosen) }
  }
  if (left !== undefined) yield { group: groups - 1, markets: byMarket(left, format, chosen) }
}

/** Returns whether a row group has a row of a chosen market. Checks the file's minimum and maximum first, then the
 *  rows. */
async function hasChosenRow<Of extends BatchColumns>(
  parquet: ParquetFile,
  group: number,
  { market, marketOf }: BatchFormat<Of>,
  chosen: ReadonlySet<string>,
): Promise<boolean> {
  const cells = [...chosen].map((name) => encoder.encode(name))
  if (!parquet.mayHold(group, market, cells)) return false
  const markets = (await parquet.group(group, [market])).words(market)
  for (let at = 0; at < parquet.groupRows[group]!; at++) if (chosen.has(marketOf(markets, at))) return true
  return false
}

const encoder = new TextEncoder()

const lastTime = (slices: readonly Slice<BatchColumns>[]): number | undefined => {
  const last = slices.at(-1)
  return last?.columns.receivedMs[last.end - 1]
}

/** Returns the index of the first row of the last batch before `end`. Rows of a batch share one time. */
function beginOfLast(times: Float64Array, end: number): number {
  let begin = end
  while (begin > 0 && times[begin - 1] === times[end - 1]) begin--
  return begin
}

function copyOf<Of extends Columns>(columns: Of, firstRow: number, start: number, end: number): Slice<Of> {
  return { columns: rowsOf(columns, start, end), firstRow: firstRow + start, start: 0, end: end - start }
}

function byMarket<Of extends BatchColumns>(
  slices: readonly Slice<Of>[],
  { marketOf }: BatchFormat<Of>,
  chosen: ReadonlySet<string> | null,
): Map<string, BatchRows<Of>> {
  const markets = new Map<string, BatchRows<Of>>()
  for (const slice of slices) {
    for (let at = slice.start; at < slice.end; at++) {
      const market = marketOf(slice.columns.markets, at)
      if (chosen !== null && !chosen.has(market)) continue
      const rows = markets.get(market) ?? new BatchRows()
      rows.add(slice, at)
      markets.set(market, rows)
    }
  }
  return markets
}
