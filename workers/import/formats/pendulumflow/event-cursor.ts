// Reads the rows of one type of event, market by market.

import type { ParquetFile } from '../../parquet/parquet-file.ts'
import { type Span, type SpanParts, spanParts } from '../../rows/market-spans.ts'
import { BOOK_EVENTS } from '../../rows/segments.ts'
import { columnsOf, namesOf, type PendulumflowColumns } from './event-columns.ts'
import type { EventRun } from './event-runs.ts'

const HASH_BYTES = 32
/** A row with a book has several hundred levels, so it needs as much memory as this many other rows. */
const ROWS_A_BOOK = 16

export class EventCursor {
  /** Index in `BOOK_EVENTS`. */
  readonly type: number
  /** Rows of the current market; undefined at the end. Valid until the next `advance`. */
  span: Span<PendulumflowColumns> | undefined
  readonly #parts: AsyncGenerator<SpanParts<PendulumflowColumns>> | undefined
  #spans: Generator<Span<PendulumflowColumns>> | undefined

  /** `place` is where an earlier import stopped; the empty text if that import had read all rows of this type. */
  constructor(
    parquet: ParquetFile,
    { type, first, end }: EventRun,
    { chosen, windowRows }: { chosen: ReadonlySet<string> | null; windowRows: number },
    place?: string,
  ) {
    this.type = type
    if (place === '') return
    const [group = first, row = 0] = place?.split(':').map(Number) ?? []
    const format = {
      names: namesOf(parquet, type),
      market: 'market',
      windowRows: BOOK_EVENTS[type] === 'book' ? windowRows / ROWS_A_BOOK : windowRows,
      nameOf,
      cellOf: (market: string) => new Uint8Array(Buffer.from(market.slice(2), 'hex')),
      columns: columnsOf.bind(null, parquet, type),
    }
    this.#parts = spanParts(parquet, format, chosen, [group, row], end)
  }

  /** Place of the current market; undefined at the end. */
  get place(): string | undefined {
    return this.span?.begins
  }

  /** Moves to the next market. Throws ArchiveFault. */
  async advance(): Promise<void> {
    if (this.#parts === undefined) return
    for (;;) {
      const span = this.#spans?.next()
      if (span !== undefined && span.done !== true) {
        this.span = span.value
        return
      }
      const { value, done } = await this.#parts.next()
      this.span = undefined
      if (done === true) return
      this.#spans = value.spans()
    }
  }
}

function nameOf(cell: Uint8Array): string {
  if (cell.length === HASH_BYTES) return `0x${Buffer.from(cell).toString('hex')}`
  throw new Error(`has a row of a market of ${cell.length} bytes, which is not a condition id`)
}
