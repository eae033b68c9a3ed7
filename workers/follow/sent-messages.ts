// Collects the messages of a piece of a stream in any order, and returns them in the order of their records.

import { MICROS } from '../../storage/units.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import { type ChangedLevels, SIDES } from '../changes/changed-levels.ts'
import { CHANNELS, type Channel, type FollowHead } from './follow-request.ts'

const FIRST_BYTES = 16 * 1_024
const encoder = new TextEncoder()

/** Returns a row of changes as messages show it. */
export const changeRow = (levels: ChangedLevels, row: number): object => ({
  side: SIDES[levels.sides[row]!],
  price: levels.prices[row]! / MICROS,
  before: levels.before[row]! / MICROS,
  after: levels.after[row]! / MICROS,
})

const keyOf = (channel: Channel, record: number) => record * CHANNELS.length + CHANNELS.indexOf(channel)

export class SentMessages {
  readonly writer = new ByteWriter(FIRST_BYTES)
  readonly #keys: number[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  readonly #first: number

  /** Drops messages before the record, and those of the record's first `step` channels: they were sent before. */
  constructor({ record, step }: { record: number; step: number }) {
    this.#first = record * CHANNELS.length + step
  }

  /** Returns whether a message is new, that is, was not sent before. */
  takes(channel: Channel, record: number): boolean {
    return keyOf(channel, record) >= this.#first
  }

  /** Adds a message. `record` is its index in the date. */
  add(channel: Channel, record: number, message: object): void {
    if (!this.takes(channel, record)) return
    const start = this.writer.length
    this.writer.write(encoder.encode(JSON.stringify(message)))
    this.written(channel, record, start)
  }

  /** Adds the message that the caller has written to `writer`, from `start` on. */
  written(channel: Channel, record: number, start: number): void {
    if (!this.takes(channel, record)) return
    this.#keys.push(keyOf(channel, record))
    this.#starts.push(start + 1)
    this.#ends.push(this.writer.length)
  }

  /** Bytes so far. */
  get length(): number {
    return this.writer.length
  }

  finish(): { bytes: Uint8Array } & Pick<FollowHead, 'channels' | 'records' | 'starts' | 'ends'> {
    const keys = this.#keys
    const order = keys.map((_, i) => i).sort((a, b) => keys[a]! - keys[b]! || a - b)
    return {
      bytes: this.writer.take(),
      channels: Uint8Array.from(order, (i) => keys[i]! % CHANNELS.length),
      records: Float64Array.from(order, (i) => Math.floor(keys[i]! / CHANNELS.length)),
      starts: Uint32Array.from(order, (i) => this.#starts[i]!),
      ends: Uint32Array.from(order, (i) => this.#ends[i]!),
    }
  }
}
