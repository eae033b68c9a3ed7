// Writes the events of one market, of all types, in the order of receipt.

import { pause } from '../../../collect-garbage.ts'
import type { RowReader } from '../../../load/capture-reading.ts'
import type { ArchiveOptions, PartSums } from '../../archive.ts'
import { AscendingOrder } from '../../rows/ascending-order.ts'
import { type Slice, sideOf } from '../../rows/columns.ts'
import { type Span, slicesOf } from '../../rows/market-spans.ts'
import type { RowScales } from '../../rows/row-values.ts'
import { RowWriter } from '../../rows/row-writer.ts'
import { BOOK_EVENTS, type Gap, SegmentOrder } from '../../rows/segments.ts'
import { WordTexts } from '../../rows/word-texts.ts'
import type { PendulumflowColumns } from './event-columns.ts'
import { GatheredRows } from './gathered-rows.ts'

/** `type` is an index in `BOOK_EVENTS`. */
export type TypedSpan = { type: number; span: Span<PendulumflowColumns> }

const BEST_BID_ASK = BOOK_EVENTS.indexOf('best_bid_ask')
/** Reason for skipped rows and gaps: another recorder took over. It is the name of the column that shows this. */
const ANOTHER_RECORDER = 'source_witness'
const encoder = new TextEncoder()

export class MarketWriter {
  /** Rows read, of all types. */
  rowsRead = 0
  readonly #rowWriter: RowWriter<PendulumflowColumns>
  readonly #unitsInMs: number
  readonly #rows = new GatheredRows()
  readonly #order = new AscendingOrder()
  readonly #segments = new SegmentOrder()
  readonly #recorders = new WordTexts()
  readonly #skipped: Record<string, number> = {}

  /** `unitsInMs` is the number of receipt time units in a millisecond. */
  constructor(lines: RowReader, options: ArchiveOptions, scales: RowScales, unitsInMs: number) {
    this.#unitsInMs = unitsInMs
    this.#rowWriter = new RowWriter(lines, options, scales, {
      tokenOf: (cell) => BigInt(`0x${Buffer.from(cell).toString('hex') || '0'}`).toString(),
      transactionOf: (cell) => encoder.encode(`0x${Buffer.from(cell).toString('hex')}`),
      bidsOf: ({ bidPrices, bidSizes }, at) => sideOf(bidPrices, bidSizes, at),
      asksOf: ({ askPrices, askSizes }, at) => sideOf(askPrices, askSizes, at),
    })
  }

  get sums(): PartSums {
    return { rows: this.rowsRead, repaired: this.#rowWriter.rows.repaired, skipped: this.#skipped }
  }

  /** Counts rows that are not used. */
  skip(what: string, rows: number): void {
    if (rows > 0) this.#skipped[what] = (this.#skipped[what] ?? 0) + rows
  }

  async write(market: string, spans: readonly TypedSpan[]): Promise<void> {
    this.#rowWriter.rows.begin(market)
    const slices = this.#gather(spans)
    const rows = this.#rows
    this.rowsRead += rows.count
    const shown = new Uint32Array(rows.count)
    const gaps = new Map<number, Gap>()
    let count = 0
    for (const ofBook of rows.byBook()) {
      const segments = this.#segments.of(ofBook, rows)
      this.skip(ANOTHER_RECORDER, segments.leftOut)
      for (const gap of segments.gaps) gaps.set(gap.after, gap)
      shown.set(segments.shown.subarray(0, segments.count), count)
      count += segments.count
    }
    const order = this.#order.of(rows.receivedTimes(shown, count), count)
    let best = 0
    for (let i = 0; i < count; i++) {
      const row = shown[order[i]!]!
      if (rows.types[row] === BEST_BID_ASK) best++
      else this.#writeRow(row, slices)
      const gap = gaps.get(row)
      if (gap !== undefined) this.#writeGap(row, slices, gap)
    }
    this.skip(BOOK_EVENTS[BEST_BID_ASK]!, best)
    await pause()
  }

  #gather(spans: readonly TypedSpan[]): Slice<PendulumflowColumns>[] {
    const slices: Slice<PendulumflowColumns>[] = []
    const rows = this.#rows
    rows.clear(spans.reduce((sum, { span }) => sum + lengthOf(span), 0))
    for (const { type, span } of spans) {
      for (const slice of slicesOf(span)) {
        const { columns, start, end } = slice
        for (let at = start; at < end; at++) {
          const recorder = this.#recorders.of(columns.recorders, at)
          rows.add(type, slices.length, at, columns, recorder, this.#rowWriter.tokenAt(columns, at))
        }
        slices.push(slice)
      }
    }
    return slices
  }

  #writeRow(row: number, slices: readonly Slice<PendulumflowColumns>[]): void {
    const { types, slices: sliceOf, places } = this.#rows
    const { columns, firstRow } = slices[sliceOf[row]!]!
    const at = places[row]!
    const [receivedMs, venueMs] = [this.#ms(columns.received[at]!), columns.venueMs[at]!]
    this.#rowWriter.write(BOOK_EVENTS[types[row]!]!, columns, at, firstRow + at, receivedMs, venueMs)
  }

  #writeGap(row: number, slices: readonly Slice<PendulumflowColumns>[], { from, to }: Gap): void {
    const { slices: sliceOf, places } = this.#rows
    const { columns, firstRow } = slices[sliceOf[row]!]!
    const at = places[row]!
    this.#rowWriter.gap(columns, at, firstRow + at, ANOTHER_RECORDER, this.#ms(from), this.#ms(to))
  }

  #ms(received: number): number {
    return Math.floor(received / this.#unitsInMs)
  }
}

const lengthOf = (span: Span<unknown>): number => slicesOf(span).reduce((sum, { start, end }) => sum + end - start, 0)
