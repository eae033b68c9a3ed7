// Stores the states of a book over time; each state applies from a bucket on. The values are in rows of one width, the
// levels are one after the other.

import type { OrderBook } from '../book/order-book.ts'
import { grown } from '../bytes/grown.ts'
import { DepthReader, type DepthShape, widthOf } from './depth-row.ts'

/** Entries per piece. Only the last piece has spare memory for levels. */
const PIECE_ENTRIES = 1_024

type Piece = {
  count: number
  /** For each entry, the first bucket that it applies to. */
  numbers: Float64Array
  rows: Float64Array
  /** Index of each entry's first level, and of its first ask (`askStarts`). */
  starts: Int32Array
  askStarts: Int32Array
  prices: Int32Array
  sizes: Float64Array
}

export class DepthEntries {
  readonly width: number
  count = 0
  readonly #levels: number
  readonly #reader: DepthReader
  readonly #pieces: Piece[] = []

  constructor(shape: DepthShape) {
    this.#reader = new DepthReader(shape)
    this.#levels = shape.levels
    this.width = widthOf(shape)
  }

  /** Adds the book from a bucket on; replaces the last entry if that is for the same bucket. */
  add(number: number, book: OrderBook): void {
    if (this.count > 0 && this.numberOf(this.count - 1) === number) {
      this.count--
      this.#pieces.at(-1)!.count--
    }
    const piece = this.#pieceWithRoom()
    const entry = piece.count++
    this.count++
    piece.numbers[entry] = number
    this.#reader.read(book, piece.rows, entry * this.width)
    const { bids, asks } = this.#reader
    const bidCount = Math.min(bids.count, this.#levels)
    const askCount = Math.min(asks.count, this.#levels)
    const start = piece.starts[entry]!
    const askStart = start + bidCount
    const end = askStart + askCount
    if (end > piece.prices.length) grow(piece, end)
    for (let i = 0; i < bidCount; i++) {
      piece.prices[start + i] = bids.levels.prices[i]!
      piece.sizes[start + i] = bids.levels.sizes[i]!
    }
    for (let i = 0; i < askCount; i++) {
      piece.prices[askStart + i] = asks.levels.prices[i]!
      piece.sizes[askStart + i] = asks.levels.sizes[i]!
    }
    piece.askStarts[entry] = askStart
    piece.starts[entry + 1] = end
  }

  numberOf(entry: number): number {
    return this.#pieceOf(entry).numbers[entry % PIECE_ENTRIES]!
  }

  value(entry: number, place: number): number {
    return this.#pieceOf(entry).rows[(entry % PIECE_ENTRIES) * this.width + place]!
  }

  /** Returns a level of a side, counted from the best: its size, or its price in 1e-6 dollars; undefined after the last
   *  one. */
  level(entry: number, isAsk: boolean, level: number, isSize: boolean): number | undefined {
    const { starts, askStarts, prices, sizes } = this.#pieceOf(entry)
    const index = entry % PIECE_ENTRIES
    const at = (isAsk ? askStarts[index]! : starts[index]!) + level
    if (at >= (isAsk ? starts[index + 1]! : askStarts[index]!)) return undefined
    return isSize ? sizes[at]! : prices[at]!
  }

  #pieceOf(entry: number): Piece {
    return this.#pieces[Math.floor(entry / PIECE_ENTRIES)]!
  }

  #pieceWithRoom(): Piece {
    const last = this.#pieces.at(-1)
    if (last !== undefined && last.count < PIECE_ENTRIES) return last
    if (last !== undefined) cut(last)
    const piece: Piece = {
      count: 0,
      numbers: new Float64Array(PIECE_ENTRIES),
      rows: new Float64Array(PIECE_ENTRIES * this.width),
      starts: new Int32Array(PIECE_ENTRIES + 1),
      askStarts: new Int32Array(PIECE_ENTRIES),
      prices: new Int32Array(PIECE_ENTRIES),
      sizes: new Float64Array(PIECE_ENTRIES),
    }
    this.#pieces.push(piece)
    return piece
  }
}

function grow(piece: Piece, count: number): void {
  const length = Math.max(count, 2 * piece.prices.length)
  piece.prices = grown(piece.prices, length)
  piece.sizes = grown(piece.sizes, length)
}

/** Frees the spare memory of a piece that is full. */
function cut(piece: Piece): void {
  const length = piece.starts[piece.count]!
  piece.prices = piece.prices.slice(0, length)
  piece.sizes = piece.sizes.slice(0, length)
}
