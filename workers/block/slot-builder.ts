// Collects the values of one slot of a shape. Begins with the narrowest form that fits the first value, and falls back
// to text at the first value that does not fit: no value is changed to fit.

import {
  parseDecimal,
  parsedDecimal,
  printDecimal,
  trimDecimal,
  trimmedDecimal,
} from '../../storage/format/columns/decimal-text.ts'
import { parseInstant, printInstant } from '../../storage/format/columns/instant-text.ts'
import type { SlotValues } from '../../storage/format/columns/slot-column.ts'
import { TextTableBuilder } from '../bytes/text-table-builder.ts'

type Form = 'empty' | 'decimal' | 'instant' | 'text'

const EXACT_MAX = 2 ** 52
const printed = new Uint8Array(64)

export class SlotBuilder {
  #form: Form = 'empty'
  #values = new Float64Array(4)
  #places = new Uint8Array(0)
  #firstPlaces = 0
  #count = 0
  #texts: TextTableBuilder | undefined

  get count(): number {
    return this.#count
  }

  get bytes(): number {
    return 160 + 8 * this.#values.length + this.#places.length + (this.#texts?.bytes ?? 0)
  }

  /** The integer of the last pushed value: a mantissa or microseconds; NaN for text. */
  get lastNumber(): number {
    return this.#form === 'text' ? Number.NaN : this.#values[this.#count - 1]!
  }

  /** Adds a value. `text` is the number of the value's text if known (`MatchedMessage`), else 0. */
  push(bytes: Uint8Array, start: number, end: number, text = 0): void {
    if (this.#count === this.#values.length) this.#grow()
    if (this.#form === 'decimal') {
      const mantissa = parseDecimal(bytes, start, end)
      if (!Number.isNaN(mantissa)) {
        if (parsedDecimal.places !== this.#firstPlaces && this.#places.length === 0) this.#beginPlaces()
        if (this.#places.length !== 0) this.#places[this.#count] = parsedDecimal.places
        this.#values[this.#count++] = mantissa
        return
      }
      this.#becomeText()
    } else if (this.#form === 'instant') {
      const instantUs = parseInstant(bytes, start, end)
      if (!Number.isNaN(instantUs)) {
        this.#values[this.#count++] = instantUs
        return
      }
      this.#becomeText()
    } else if (this.#form === 'empty') {
      this.#begin(bytes, start, end)
      this.push(bytes, start, end, text)
      return
    }
    this.#values[this.#count++] = this.#texts!.indexOf(bytes, start, end, text)
  }

  /** Like `push`, for a text that `parseInstant` has already read. */
  pushInstant(instantUs: number, bytes: Uint8Array, start: number, end: number): void {
    if (this.#form !== 'instant' || this.#count === this.#values.length) this.push(bytes, start, end)
    else this.#values[this.#count++] = instantUs
  }

  /** Like `push`, for a text of digits without a leading zero; `value` is its number. */
  pushWhole(value: number, bytes: Uint8Array, start: number, end: number): void {
    const isWhole = this.#form === 'decimal' && this.#firstPlaces === 0 && this.#places.length === 0
    if (!isWhole || this.#count === this.#values.length) this.push(bytes, start, end)
    else this.#values[this.#count++] = value
  }

  /** Like `push`, for a value of a stored column. */
  pushStored(slot: SlotValues, index: number): void {
    if (slot.form === 'text') {
      const { arena, offsets, indexes } = slot.texts
      const word = indexes[index]!
      this.push(arena, offsets[word]!, offsets[word + 1]!)
      return
    }
    const value = slot.values[index]!
    if (slot.form === 'instant') return this.#pushRead('instant', value, 0)
    if (slot.style === 'trimmed') {
      const mantissa = trimDecimal(value, slot.scale)
      return this.#pushRead('decimal', mantissa, trimmedDecimal.places)
    }
    const places = slot.style === 'mixed' ? slot.places![index]! : slot.scale
    this.#pushRead('decimal', slot.style === 'mixed' ? value / 10 ** (slot.scale - places) : value, places)
  }

  /** Like `push`, for all `count` values of a stored column. */
  pushColumn(slot: SlotValues, count: number): void {
    if (slot.form === 'text' && (this.#form === 'empty' || this.#form === 'text')) return this.#pushTexts(slot, count)
    const isAlike = this.#form === 'empty' || this.#form === slot.form
    const isInstant = slot.form === 'instant'
    if (isAlike && (isInstant || (slot.form === 'decimal' && slot.style === 'fixed' && this.#hasPlaces(slot.scale)))) {
      return this.#pushValues(slot.form, slot.values, count, isInstant ? 0 : slot.scale)
    }
    for (let i = 0; i < count; i++) this.pushStored(slot, i)
  }

  /** Like `push`, for a decimal that `parseDecimal` would read as `mantissa` with `places` digits after the point. */
  pushDecimal(mantissa: number, places: number): void {
    this.#pushRead('decimal', mantissa, places)
  }

  /** Like `push`, for a whole number. */
  pushNumber(value: number): void {
    this.#pushRead('decimal', value, 0)
  }

  /** Like `pushNumber`, for each value. */
  pushNumbers(values: Float64Array): void {
    const isAlike = this.#form === 'empty' || (this.#form === 'decimal' && this.#hasPlaces(0))
    if (isAlike) this.#pushValues('decimal', values, values.length, 0)
    else for (const value of values) this.pushNumber(value)
  }

  /** Removes the values and keeps their memory. */
  clear(): void {
    this.#form = 'empty'
    this.#count = 0
    this.#places = new Uint8Array(0)
    this.#texts = undefined
  }

  /** Returns the pushed values in the form in which they will be stored. */
  finish(): SlotValues {
    if (this.#form === 'text') return { form: 'text', texts: this.#texts!.table(this.#values) }
    if (this.#form === 'instant') return { form: 'instant', values: this.#values }
    if (this.#places.length === 0) {
      return { form: 'decimal', scale: this.#firstPlaces, style: 'fixed', values: this.#values, places: null }
    }
    return this.#finishMixedPlaces()
  }

  #finishMixedPlaces(): SlotValues {
    let scale = 0
    let isTrimmed = true
    for (let i = 0; i < this.#count; i++) {
      const places = this.#places[i]!
      if (places > scale) scale = places
      if (places > 0 && this.#values[i]! % 10 === 0) isTrimmed = false
    }
    const values = new Float64Array(this.#count)
    for (let i = 0; i < this.#count; i++) {
      values[i] = this.#values[i]! * 10 ** (scale - this.#places[i]!)
      if (Math.abs(values[i]!) >= EXACT_MAX) {
        this.#becomeText()
        return this.finish()
      }
    }
    const places = isTrimmed ? null : new Float64Array(this.#places.subarray(0, this.#count))
    return { form: 'decimal', scale, style: isTrimmed ? 'trimmed' : 'mixed', values, places }
  }

  /** Returns whether all values have this number of places. */
  #hasPlaces(places: number): boolean {
    return this.#form === 'empty' || (this.#places.length === 0 && this.#firstPlaces === places)
  }

  #pushValues(form: 'decimal' | 'instant', values: Float64Array, count: number, places: number): void {
    if (count === 0) return
    if (this.#form === 'empty') this.#firstPlaces = places
    this.#form = form
    this.#reserve(this.#count + count)
    this.#values.set(values.length === count ? values : values.subarray(0, count), this.#count)
    this.#count += count
  }

  #pushTexts({ texts }: Extract<SlotValues, { form: 'text' }>, count: number): void {
    if (count === 0) return
    const { arena, offsets, indexes } = texts
    if (this.#form === 'empty') this.#texts = new TextTableBuilder()
    this.#form = 'text'
    this.#reserve(this.#count + count)
    const words = new Int32Array(texts.wordCount).fill(-1)
    for (let i = 0; i < count; i++) {
      const word = indexes[i]!
      if (words[word]! < 0) words[word] = this.#texts!.indexOf(arena, offsets[word]!, offsets[word + 1]!)
      this.#values[this.#count++] = words[word]!
    }
  }

  /** Adds a value that is already parsed: a decimal with `places` digits after the point, or an instant in
   *  microseconds. */
  #pushRead(form: 'decimal' | 'instant', value: number, places: number): void {
    if (this.#form === 'empty') {
      this.#form = form
      this.#firstPlaces = places
    }
    if (this.#form !== form) {
      const isInstant = form === 'instant'
      const end = isInstant ? printInstant(value, printed, 0) : printDecimal(value, places, printed, 0)
      // The slot becomes text. The value prints to the same bytes as the text that it was read from.
      this.push(printed.slice(0, end), 0, end)
      return
    }
    if (this.#count === this.#values.length) this.#grow()
    if (form === 'decimal') {
      if (places !== this.#firstPlaces && this.#places.length === 0) this.#beginPlaces()
      if (this.#places.length !== 0) this.#places[this.#count] = places
    }
    this.#values[this.#count++] = value
  }

  #begin(bytes: Uint8Array, start: number, end: number): void {
    const mantissa = parseDecimal(bytes, start, end)
    if (!Number.isNaN(mantissa)) {
      this.#form = 'decimal'
      this.#firstPlaces = parsedDecimal.places
      return
    }
    const instantUs = parseInstant(bytes, start, end)
    this.#form = Number.isNaN(instantUs) ? 'text' : 'instant'
    if (this.#form === 'text') this.#texts = new TextTableBuilder()
  }

  #beginPlaces(): void {
    this.#places = new Uint8Array(this.#values.length).fill(this.#firstPlaces, 0, this.#count)
  }

  #becomeText(): void {
    this.#texts = new TextTableBuilder()
    for (let i = 0; i < this.#count; i++) {
      const places = this.#places.length === 0 ? this.#firstPlaces : this.#places[i]!
      const value = this.#values[i]!
      const end = this.#form === 'instant' ? printInstant(value, printed, 0) : printDecimal(value, places, printed, 0)
      this.#values[i] = this.#texts.indexOf(printed, 0, end)
    }
    this.#form = 'text'
    this.#places = new Uint8Array(0)
  }

  #reserve(count: number): void {
    while (this.#values.length < count) this.#grow()
  }

  #grow(): void {
    const values = new Float64Array(2 * this.#values.length)
    values.set(this.#values)
    this.#values = values
    if (this.#places.length === 0) return
    const places = new Uint8Array(values.length)
    places.set(this.#places)
    this.#places = places
  }
}
