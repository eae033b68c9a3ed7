// Rows of hftbacktest, 64 bytes each: the event, the time at the exchange and the time of receipt.
//
//   0 ev │ 8 exch_ts │ 16 local_ts │ 24 px │ 32 qty │ 40 order_id │ 48 ival │ 56 fval
//
// Rows are held in exchange order until all are known, 33 bytes each.

import { MICROS } from '../../../storage/units.ts'
import type { NpzField } from './npz-file.ts'

export const FIELDS: readonly NpzField[] = [
  ...([
    ['ev', '<u8'],
    ['exch_ts', '<i8'],
    ['local_ts', '<i8'],
    ['px', '<f8'],
    ['qty', '<f8'],
  ] as const),
  ...([
    ['order_id', '<u8'],
    ['ival', '<i8'],
    ['fval', '<f8'],
  ] as const),
]

export const [DEPTH, TRADE, CLEAR, SNAPSHOT] = [1, 2, 3, 4]
export const [NO_SIDE, BUY, SELL] = [0, 1, 2]
const SIDE_BITS = [0, 2 ** 29, 2 ** 28]
const [EXCHANGE_BIT, LOCAL_BIT] = [2 ** 31, 2 ** 30]

const ROW_BYTES = 64
const CHUNK_ROWS = 65_536
const PIECE_ROWS = 16_384
const WORD = 2 ** 32
const NS_PER_US = 1_000

class Chunk {
  /** The kind of each row times 4, plus its side. */
  readonly events = new Uint8Array(CHUNK_ROWS)
  readonly exchangeUs = new Float64Array(CHUNK_ROWS)
  readonly localUs = new Float64Array(CHUNK_ROWS)
  readonly prices = new Float64Array(CHUNK_ROWS)
  readonly sizes = new Float64Array(CHUNK_ROWS)
}

export class EventRows {
  count = 0
  /** The largest number of microseconds by which a row's exchange time is after its local time; 0 if there is no such
   *  row. */
  deficitUs = 0
  readonly #chunks: Chunk[] = []
  /** Rows that were received before a row that precedes them in exchange order. */
  readonly #late: number[] = []
  #lastLocalUs = Number.NEGATIVE_INFINITY

  get lateCount(): number {
    return this.#late.length
  }

  /** Adds a row in 1e-6 dollars and 1e-6 contracts. `exchangeUs` never steps back. */
  add(kind: number, side: number, exchangeUs: number, localUs: number, price: number, size: number): void {
    const place = this.count % CHUNK_ROWS
    if (place === 0) this.#chunks.push(new Chunk())
    const chunk = this.#chunks.at(-1)!
    chunk.events[place] = 4 * kind + side
    chunk.exchangeUs[place] = exchangeUs
    chunk.localUs[place] = localUs
    chunk.prices[place] = price
    chunk.sizes[place] = size
    if (exchangeUs - localUs > this.deficitUs) this.deficitUs = exchangeUs - localUs
    if (localUs < this.#lastLocalUs) this.#late.push(this.count)
    else this.#lastLocalUs = localUs
    this.count++
  }

  /** Number of rows in the file. */
  get writtenCount(): number {
    return this.count + this.#late.length
  }

  /** Writes the rows. A row in the same place in both orders is written once. A row that was received before an earlier
   *  row is written twice: at its place in local time for the local clock, and at its own place for the exchange. */
  write(add: (bytes: Uint8Array) => void): void {
    const piece = new Piece(this.deficitUs, add)
    const localOf = (row: number) => this.#chunks[Math.floor(row / CHUNK_ROWS)]!.localUs[row % CHUNK_ROWS]!
    const byLocal = this.#late.toSorted((a, b) => localOf(a) - localOf(b) || a - b)
    let nextLocal = 0
    let nextLate = 0
    for (let row = 0; row < this.count; row++) {
      const chunk = this.#chunks[Math.floor(row / CHUNK_ROWS)]!
      const isLate = this.#late[nextLate] === row
      if (isLate) nextLate++
      const localUs = chunk.localUs[row % CHUNK_ROWS]!
      for (; !isLate && nextLocal < byLocal.length && localOf(byLocal[nextLocal]!) < localUs; nextLocal++) {
        const late = byLocal[nextLocal]!
        piece.add(this.#chunks[Math.floor(late / CHUNK_ROWS)]!, late % CHUNK_ROWS, LOCAL_BIT)
      }
      piece.add(chunk, row % CHUNK_ROWS, isLate ? EXCHANGE_BIT : EXCHANGE_BIT + LOCAL_BIT)
    }
    for (; nextLocal < byLocal.length; nextLocal++) {
      const late = byLocal[nextLocal]!
      piece.add(this.#chunks[Math.floor(late / CHUNK_ROWS)]!, late % CHUNK_ROWS, LOCAL_BIT)
    }
    piece.flush()
  }
}

/** Encodes rows to bytes, a fixed number of rows at a time. */
class Piece {
  readonly #shiftUs: number
  readonly #add: (bytes: Uint8Array) => void
  readonly #bytes = new Uint8Array(PIECE_ROWS * ROW_BYTES)
  readonly #words = new Uint32Array(this.#bytes.buffer)
  readonly #doubles = new Float64Array(this.#bytes.buffer)
  #count = 0

  constructor(shiftUs: number, add: (bytes: Uint8Array) => void) {
    this.#shiftUs = shiftUs
    this.#add = add
  }

  /** Adds a row. Fields that are not set here are 0 in all rows. */
  add(chunk: Chunk, place: number, validity: number): void {
    const word = (ROW_BYTES / 4) * this.#count
    const double = (ROW_BYTES / 8) * this.#count
    const event = chunk.events[place]!
    this.#words[word] = validity + SIDE_BITS[event & 3]! + (event >>> 2)
    this.#setNs(word + 2, chunk.exchangeUs[place]!)
    this.#setNs(word + 4, chunk.localUs[place]! + this.#shiftUs)
    this.#doubles[double + 3] = chunk.prices[place]! / MICROS
    this.#doubles[double + 4] = chunk.sizes[place]! / MICROS
    if (++this.#count === PIECE_ROWS) this.flush()
  }

  flush(): void {
    if (this.#count > 0) this.#add(this.#bytes.subarray(0, this.#count * ROW_BYTES))
    this.#count = 0
  }

  /** Writes microseconds as nanoseconds, in two 32-bit words. */
  #setNs(word: number, us: number): void {
    const high = Math.floor(us / WORD)
    const low = (us - high * WORD) * NS_PER_US
    const carry = Math.floor(low / WORD)
    this.#words[word] = low - carry * WORD
    this.#words[word + 1] = high * NS_PER_US + carry
  }
}
