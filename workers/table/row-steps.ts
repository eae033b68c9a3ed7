// Compiles the writing of a row into steps. Each step is a literal text, followed by a value. Texts that are equal in
// every row of the block (a ticker, a subscription) become part of the literals. Literals are copied eight bytes at a
// time.

import type { SlotValues } from '../../storage/format/columns/slot-column.ts'
import type { TextTable } from '../../storage/format/columns/text-column.ts'
import type { Part } from '../../storage/format/shape.ts'
import { InstantPrinter } from './instant-printer.ts'
import { NUMBER_ROOM } from './print-number.ts'

/** Kinds of values after a step's literal. */
export const NOTHING = 0
export const FIXED = 1
export const TRIMMED = 2
export const MIXED = 3
export const INSTANT = 4
export const NULLABLE = 5
export const TEXT = 6
export const LIST = 7

/** A step of any kind. All kinds share one class, because a loop over objects of one layout is fast. */
export class Step {
  /** Bytes of the text as doubles, padded with zeros. The bits of a NaN might change, but valid UTF-8 never forms a
   *  NaN. */
  literal = new Float64Array(0)
  literalLength = 0
  /** Maximum number of bytes that writing the literal and a number may overwrite. */
  room = 0
  kind = NOTHING
  /** The value of each row. For a text: the index of its word. For a list: the index at which the row's elements
   *  begin. */
  values: Float64Array = NO_VALUES
  scale = 0
  /** Decimal places of each row, if the rows differ in their number of places. */
  places: Float64Array = NO_VALUES
  instants = NO_INSTANTS
  arena: DataView = NO_TEXT
  offsets: Uint32Array = NO_OFFSETS
  element: Step[] = []
}

const NO_VALUES = new Float64Array(0)
const NO_INSTANTS = new InstantPrinter()
const NO_TEXT = new DataView(new ArrayBuffer(0))
const NO_OFFSETS = new Uint32Array(1)

export type RowColumns = { slots: SlotValues[]; listStarts: Float64Array[] }

const encoder = new TextEncoder()

export class StepList {
  readonly #steps: Step[] = []
  #literal: number[] = []

  text(text: string): this {
    for (const byte of encoder.encode(text)) this.#literal.push(byte)
    return this
  }

  /** Adds a step that writes integers of at least 0, and null for negative values. */
  nullable(values: Float64Array | undefined): this {
    if (values === undefined) return this.text('null')
    if (isConstant(values)) return this.text(values[0]! < 0 ? 'null' : String(values[0]))
    this.#push(NULLABLE, { values })
    return this
  }

  integers(values: Float64Array): this {
    this.#push(FIXED, { values })
    return this
  }

  words({ arena, offsets, wordCount, indexes: values }: TextTable): this {
    if (values.length > 0 && (wordCount === 1 || isConstant(values))) {
      const word = arena.subarray(offsets[values[0]!], offsets[values[0]! + 1])
      if (isAscii(word)) {
        for (const byte of word) this.#literal.push(byte)
        return this
      }
    }
    this.#push(TEXT, { arena: new DataView(arena.buffer, arena.byteOffset, arena.byteLength), offsets, values })
    return this
  }

  parts(parts: Part[], columns: RowColumns): this {
    for (const part of parts) {
      if (typeof part === 'string') this.text(part)
      else if ('slot' in part) this.#slot(columns.slots[part.slot]!)
      else {
        const element = new StepList().parts(part.element, columns).finish()
        this.#push(LIST, { values: columns.listStarts[part.list]!, element })
      }
    }
    return this
  }

  finish(): Step[] {
    if (this.#literal.length > 0) this.#push(NOTHING, {})
    return this.#steps
  }

  #slot(slot: SlotValues): void {
    if (slot.form === 'text') this.words(slot.texts)
    else if (slot.form === 'instant') this.#push(INSTANT, { values: slot.values, instants: new InstantPrinter() })
    else {
      const { values, scale, places } = slot
      if (slot.style === 'mixed') this.#push(MIXED, { values, scale, places: places! })
      else this.#push(slot.style === 'fixed' ? FIXED : TRIMMED, { values, scale })
    }
  }

  #push(kind: number, fields: Partial<Step>): void {
    const step = Object.assign(new Step(), fields)
    step.kind = kind
    step.literalLength = this.#literal.length
    step.literal = new Float64Array(Math.ceil(step.literalLength / 8))
    new Uint8Array(step.literal.buffer).set(this.#literal)
    step.room = step.literal.byteLength + NUMBER_ROOM
    this.#steps.push(step)
    this.#literal = []
  }
}

function isConstant(values: Float64Array): boolean {
  for (let i = 1; i < values.length; i++) if (values[i] !== values[0]) return false
  return values.length > 0
}

const isAscii = (bytes: Uint8Array): boolean => bytes.every((byte) => byte < 0x80)
