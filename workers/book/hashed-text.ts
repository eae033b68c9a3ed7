// Prints the text of a book that the venue hashes. The hash is over text, while the book has integers: prices and sizes
// are printed as decimals without trailing zeros, as the venue does in every captured book.

import { MICROS } from '../../storage/units.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import { printTrimmed } from '../table/print-number.ts'
import { type HashedMessage, hashedHead } from '../venues/polymarket/book-hash.ts'
import { ASK, BID, type Side } from './ladder.ts'
import type { OrderBook } from './order-book.ts'

const PLACES = 6
/** Includes the spare room that `printTrimmed` needs after a number. */
const LEVEL_BYTES_MAX = 120
const encoder = new TextEncoder()
const PRICE = encoder.encode('{"price":"')
const SIZE = encoder.encode('","size":"')
const LEVEL_END = encoder.encode('"},')

const writer = new ByteWriter(16_384)

/** Returns the book as the venue writes it, up to the end of its levels. */
export function hashedText(book: OrderBook, message: HashedMessage): Uint8Array {
  writer.length = 0
  writer.write(encoder.encode(`${hashedHead(message)}"bids":[`))
  writeLevels(book, BID)
  writer.write(encoder.encode('],"asks":['))
  writeLevels(book, ASK)
  writer.write(encoder.encode(']'))
  return writer.bytes.slice(0, writer.length)
}

/** Writes the levels of a side, the best last. */
function writeLevels(book: OrderBook, side: Side): void {
  const levels = book.levels(side)
  writer.reserve(levels.length * LEVEL_BYTES_MAX)
  const { bytes, view } = writer
  let at = writer.length
  for (let i = levels.length - 1; i >= 0; i--) {
    const [height, size] = levels[i]!
    for (let j = 0; j < PRICE.length; j++) bytes[at++] = PRICE[j]!
    at = printTrimmed(view, at, side === BID ? height : MICROS - height, PLACES)
    for (let j = 0; j < SIZE.length; j++) bytes[at++] = SIZE[j]!
    at = printTrimmed(view, at, size, PLACES)
    for (let j = 0; j < LEVEL_END.length; j++) bytes[at++] = LEVEL_END[j]!
  }
  // No comma after the last level.
  writer.length = levels.length > 0 ? at - 1 : at
}
