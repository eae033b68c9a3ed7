// Encodes positions of a stream. A position says up to where the records of each market have been sent. It is sealed
// for its query, and stays valid after a restart and on other servers of the same store.
//
//   [ checksum of the markets, 4 bytes | an entry for each market ]
//   entry   0                                              not begun: continues with the present state
//           1                                              nothing was stored
//           day + 2, record and step, revision | earlier   numbers in 7-bit groups, the lowest first; 4 bytes

import { DAY_MS, dateStartMs, utcDate } from '../../storage/units.ts'
import { openedBytes, sealedBytes } from '../../workers/bytes/sealed-text.ts'
import { CHANNELS, type Followed } from '../../workers/follow/follow-request.ts'
import type { StreamQuery } from './stream-query.ts'

/** The place in the stream of a market; null if the stream has not begun. */
export type Place = Followed | null

const [NOT_BEGUN, NOTHING, FIRST_DAY] = [0, 1, 2]
/** Number of values of `step`: one for each channel, and one after all of them. */
const STEPS = CHANNELS.length + 1
const EARLIER_BYTES = 4

export class StreamPositions {
  readonly #secret: Uint8Array
  readonly #purpose: readonly unknown[]
  readonly #markets: Buffer
  readonly #count: number

  constructor(secret: Uint8Array, query: StreamQuery) {
    const names = query.markets.map(({ venue, market }) => `${venue}:${market}`).join()
    this.#secret = secret
    // Uses a digest to keep the purpose short, because it is part of every position's tag.
    this.#purpose = ['stream-position-1', digest(`${query.event ?? names} ${query.channels.join()}`)]
    this.#markets = Buffer.alloc(EARLIER_BYTES)
    this.#markets.writeUInt32LE(Number(Bun.hash.xxHash64(names) & 0xffff_ffffn))
    this.#count = query.markets.length
  }

  /** Returns the text of a position. `places` are in the order of the query's markets. */
  seal(places: readonly Buffer[]): string {
    return sealedBytes(this.#secret, this.#purpose, Buffer.concat([this.#markets, ...places]))
  }

  /** Decodes a position. Returns undefined if the text is not a position of this query. If the event has other
   *  markets now, all places are null. */
  open(position: string): Place[] | undefined {
    const bytes = openedBytes(this.#secret, this.#purpose, position)
    if (bytes === undefined) return undefined
    if (!bytes.subarray(0, EARLIER_BYTES).equals(this.#markets)) return new Array<Place>(this.#count).fill(null)
    const reader = new PlaceReader(bytes, EARLIER_BYTES)
    return Array.from({ length: this.#count }, () => reader.next())
  }
}

const digest = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('base64')

/** Encodes an entry of a position. */
export function placeBytes(place: Place): Buffer {
  if (place === null) return Buffer.of(NOT_BEGUN)
  if (place === 'nothing') return Buffer.of(NOTHING)
  const { date, record, step, revision, earlier } = place
  const bytes: number[] = []
  for (const value of [dateStartMs(date) / DAY_MS + FIRST_DAY, record * STEPS + step, revision]) addNumber(bytes, value)
  for (let shift = 0; shift < 8 * EARLIER_BYTES; shift += 8) bytes.push((earlier >>> shift) & 0xff)
  return Buffer.from(bytes)
}

function addNumber(bytes: number[], value: number): void {
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  bytes.push(rest)
}

class PlaceReader {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes
    this.#at = start
  }

  next(): Place {
    const kind = this.#number()
    if (kind === NOT_BEGUN) return null
    if (kind === NOTHING) return 'nothing'
    const place = this.#number()
    const revision = this.#number()
    const earlier = this.#bytes.readUInt32LE(this.#at)
    this.#at += EARLIER_BYTES
    const date = utcDate((kind - FIRST_DAY) * DAY_MS)
    return { date, record: Math.floor(place / STEPS), step: place % STEPS, revision, earlier }
  }

  #number(): number {
    let value = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.#bytes[this.#at++]!
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }
}
