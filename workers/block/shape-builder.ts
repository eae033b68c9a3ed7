// Collects the rows of one shape within a block.

import type { ShapeColumns } from '../../storage/format/block.ts'
import { encodeNumbers, type NumberColumn } from '../../storage/format/columns/number-column.ts'
import type { RowClock } from '../../storage/format/columns/row-clock.ts'
import { encodeSlot } from '../../storage/format/columns/slot-column.ts'
import { followsTime, type Shape } from '../../storage/format/shape.ts'
import { NumberBuilder } from '../bytes/number-builder.ts'
import type { DecodedShape } from './decoded-block.ts'
import type { RecordRow } from './record-row.ts'
import { SlotBuilder } from './slot-builder.ts'

export class ShapeBuilder {
  readonly shape: Shape
  #rowCount = 0
  readonly #timesMs = new NumberBuilder()
  readonly #opens = new NumberBuilder()
  readonly #received = new NumberBuilder()
  readonly #sid = new SlotBuilder()
  readonly #seq = new SlotBuilder()
  readonly #slots: SlotBuilder[]
  readonly #rowSlots: number[]
  readonly #listSlots: number[][]
  readonly #listLengths: NumberBuilder[]

  constructor(shape: Shape) {
    this.shape = shape
    this.#slots = shape.slots.map(() => new SlotBuilder())
    const slotsOf = (list: number) => shape.slots.flatMap((slot, i) => (slot.list === list ? [i] : []))
    this.#rowSlots = slotsOf(-1)
    this.#listSlots = Array.from({ length: shape.listCount }, (_, list) => slotsOf(list))
    this.#listLengths = this.#listSlots.map(() => new NumberBuilder())
  }

  get bytes(): number {
    return 512 + 24 * this.#rowCount + this.#slots.reduce((sum, slot) => sum + slot.bytes, 0)
  }

  /** Removes the rows and keeps their memory. */
  clear(): void {
    this.#rowCount = 0
    const numbers = [this.#timesMs, this.#opens, this.#received, ...this.#listLengths]
    for (const column of [...numbers, this.#sid, this.#seq, ...this.#slots]) column.clear()
  }

  push(row: RecordRow, opensQuote: boolean): void {
    const { form, bytes, match } = row
    this.#rowCount++
    this.#timesMs.push(row.timeMs)
    this.#opens.push(opensQuote ? 1 : 0)
    if (this.shape.hasReceivedMs) this.#received.push(row.receivedMs)
    if (!match.hasText) return this.#pushValues(row)
    if (this.shape.hasSid) this.#sid.push(bytes, match.starts[form.sid]!, match.ends[form.sid]!)
    if (this.shape.hasSeq) this.#seq.push(bytes, match.starts[form.seq]!, match.ends[form.seq]!)
    const venueTime = Number.isNaN(row.venueInstantUs) ? -1 : this.shape.timeSlot + form.firstSlot
    const eventTime = Number.isNaN(row.eventWholeMs) ? -1 : form.eventTime
    for (let i = 0; i < this.#rowSlots.length; i++) {
      const slot = this.#rowSlots[i]!
      const place = slot + form.firstSlot
      const start = match.starts[place]!
      const end = match.ends[place]!
      if (place === venueTime) this.#slots[slot]!.pushInstant(row.venueInstantUs, bytes, start, end)
      else if (place === eventTime) this.#slots[slot]!.pushWhole(row.eventWholeMs, bytes, start, end)
      else this.#slots[slot]!.push(bytes, start, end, match.texts[place]!)
    }
    for (let list = 0; list < this.#listSlots.length; list++) this.#pushList(row, list)
  }

  /** Like `push`, for a row of a stored block. */
  pushStored(stored: DecodedShape, row: number, timeMs: number, opensQuote: boolean): void {
    this.#rowCount++
    this.#timesMs.push(timeMs)
    this.#opens.push(opensQuote ? 1 : 0)
    if (this.shape.hasReceivedMs) this.#received.push(stored.receivedMs![row]!)
    if (this.shape.hasSid) this.#sid.pushNumber(stored.sid![row]!)
    if (this.shape.hasSeq) this.#seq.pushNumber(stored.seq![row]!)
    for (const slot of this.#rowSlots) this.#slots[slot]!.pushStored(stored.slots[slot]!, row)
    this.#listSlots.forEach((slots, list) => {
      const starts = stored.listStarts[list]!
      const end = starts[row + 1]!
      this.#listLengths[list]!.push(end - starts[row]!)
      for (let element = starts[row]!; element < end; element++) {
        for (const slot of slots) this.#slots[slot]!.pushStored(stored.slots[slot]!, element)
      }
    })
  }

  /** Like `pushStored`, for all rows. `opensQuote` has a 1 for each row that opens a quote. */
  pushAll(stored: DecodedShape, opensQuote: Uint8Array): void {
    const count = stored.timesMs.length
    this.#rowCount += count
    this.#timesMs.pushAll(stored.timesMs)
    this.#opens.pushAll(opensQuote)
    if (this.shape.hasReceivedMs) this.#received.pushAll(stored.receivedMs!)
    if (this.shape.hasSid) this.#sid.pushNumbers(stored.sid!)
    if (this.shape.hasSeq) this.#seq.pushNumbers(stored.seq!)
    for (const slot of this.#rowSlots) this.#slots[slot]!.pushColumn(stored.slots[slot]!, count)
    this.#listSlots.forEach((slots, list) => {
      const starts = stored.listStarts[list]!
      for (let row = 0; row < count; row++) this.#listLengths[list]!.push(starts[row + 1]! - starts[row]!)
      for (const slot of slots) this.#slots[slot]!.pushColumn(stored.slots[slot]!, starts[count]!)
    })
  }

  finish(): ShapeColumns {
    const count = this.#rowCount
    const clock: RowClock = { timesMs: this.#timesMs.values, opensQuote: new Uint8Array(this.#opens.taken()) }
    return {
      shape: this.shape,
      rowCount: count,
      receivedMs: this.shape.hasReceivedMs ? encodeNumbers(this.#received.values, count, clock) : null,
      sid: this.shape.hasSid ? encodeWhole(this.#sid, count) : null,
      seq: this.shape.hasSeq ? encodeWhole(this.#seq, count) : null,
      listLengths: this.#listLengths.map((lengths) => encodeNumbers(lengths.values, count, undefined)),
      slots: this.#slots.map((slot, i) =>
        encodeSlot(slot.finish(), slot.count, followsTime(this.shape, i) ? clock : undefined),
      ),
    }
  }

  // Adds the values of a message, without its `sid` and `seq`. Each list of the message has one element.
  #pushValues({ form, bytes, match }: RecordRow): void {
    const { starts, ends, texts, numbers, fractionDigits } = match
    for (let slot = 0; slot < this.#slots.length; slot++) {
      const place = slot + form.firstSlot
      const digits = fractionDigits[place]!
      if (digits >= 0) this.#slots[slot]!.pushDecimal(numbers[place]!, digits)
      else this.#slots[slot]!.push(bytes, starts[place]!, ends[place]!, texts[place]!)
    }
    for (const lengths of this.#listLengths) lengths.push(1)
  }

  // If each element of a list has its own book, only the elements of the record's book belong to the record.
  #pushList({ form, bytes, match, bookStart, bookEnd }: RecordRow, list: number): void {
    const slots = this.#listSlots[list]!
    const messageList = list + form.firstList
    const base = match.listBases[messageList]!
    const length = match.listLengths[messageList]!
    const bookOffset = messageList === form.bookList ? form.book - form.firstSlot - slots[0]! : -1
    let count = 0
    for (let element = 0; element < length; element++) {
      const first = base + element * slots.length
      if (bookOffset >= 0) {
        const start = match.elementStarts[first + bookOffset]!
        if (!isSameRange(bytes, start, match.elementEnds[first + bookOffset]!, bookStart, bookEnd)) continue
      }
      count++
      for (let i = 0; i < slots.length; i++) {
        // `texts` has one entry per slot, which is valid only if the list has one element.
        const text = length === 1 ? match.texts[slots[i]! + form.firstSlot]! : 0
        this.#slots[slots[i]!]!.push(bytes, match.elementStarts[first + i]!, match.elementEnds[first + i]!, text)
      }
    }
    this.#listLengths[list]!.push(count)
  }
}

export function isSameRange(
  bytes: Uint8Array,
  start: number,
  end: number,
  otherStart: number,
  otherEnd: number,
): boolean {
  if (end - start !== otherEnd - otherStart) return false
  if (start === otherStart) return true
  for (let i = 0; i < end - start; i++) if (bytes[start + i] !== bytes[otherStart + i]) return false
  return true
}

// If any sid (or seq) of the rows is not a whole number, stores -1 in every row. Readers take -1 as null.
function encodeWhole(slot: SlotBuilder, count: number): NumberColumn {
  const values = slot.finish()
  const isWhole = values.form === 'decimal' && values.style === 'fixed' && values.scale === 0
  return encodeNumbers(isWhole ? values.values : new Float64Array(count).fill(-1), count, undefined)
}
