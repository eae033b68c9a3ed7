// Rows of one type of event, market by market.

import type { ParquetFile } from '../../parquet/parquet-file.ts'
import { type Span, type SpanParts, spanParts } from '../../rows/market-spans.ts'
import { columnsOf, namesOf, type PendulumflowColumns } from './event-columns.ts'
import type { EventRun } from './event-runs.ts'

const HASH_BYTES = 32

export class EventCursor {
  /** A place in `BOOK_EVENTS`. */
  readonly type: number
  /** Of the market that it stands at; undefined at the end. Valid until it is advanced. */
  span: Span<PendulumflowColumns> | undefined
  readonly #parts: AsyncGenerator<SpanParts<PendulumflowColumns>> | undefined
  #part: SpanParts<PendulumflowColumns> | undefined
  #at = 0

  /** `place` is where it stood before, empty at the end. */
  constructor(
    parquet: ParquetFile,
    { type, first, end }: EventRun,
    chosen: ReadonlySet<string> | null,
    place?: string,
  ) {
    this.type = type
    if (place === '') return
    const [group = first, row = 0] = place?.split(':').map(Number) ?? []
    const format = {
      names: namesOf(parquet, type),
      market: 'market',
      nameOf,
      cellOf: (market: string) => new Uint8Array(Buffer.from(market.slice(2), 'hex')),
      columns: columnsOf.bind(null, parquet, type),
    }
    this.#parts = spanParts(parquet, format, chosen, [group, row], end)
  }

  /** Of the market that it stands at; undefined at the end. */
  get place(): string | undefined {
    return this.span?.begins
  }

  /** To the next market. Throws ArchiveFault. */
  async advance(): Promise<void> {
    if (this.#parts === undefined) return
    while (this.#part === undefined || this.#at === this.#part.spans.length) {
      const { value, done } = await this.#parts.next()
      if (done === true) {
        this.span = undefined
        return
      }
      this.#part = value
      this.#at = 0
    }
    this.span = this.#part.spans[this.#at++]
  }
}

function nameOf(cell: Uint8Array): string {
  if (cell.length === HASH_BYTES) return `0x${Buffer.from(cell).toString('hex')}`
  throw new Error(`has a row of a market of ${cell.length} bytes, which is no condition id`)
}
