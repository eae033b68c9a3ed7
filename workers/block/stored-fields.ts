// Reads single texts of a block's messages by their key. Decodes only the columns that are requested.

import type { Block, ShapeColumns } from '../../storage/format/block.ts'
import { decodeNumbers } from '../../storage/format/columns/number-column.ts'
import type { RowClock } from '../../storage/format/columns/row-clock.ts'
import { decodeSlot, decodeTextAt, type SlotValues } from '../../storage/format/columns/slot-column.ts'
import { followsTime, type Part, type Shape } from '../../storage/format/shape.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import { writeValue } from './message-writer.ts'

/** The parts of a block's `BookColumns` that are already decoded. */
export type BlockRecords = { recordCount: number; timesMs: Float64Array; operations: Uint16Array }

type Value = Record<string, unknown>

/** Where the texts of a shape are. `message` maps the keys of a message to slots; `entry` maps the keys of an entry
 *  in its list of changes. `whole` is the slot of a message that is stored as one text; -1 for other messages. */
type Places = { message: Value; entry: Value; list: number; whole: number }

const SLOT = '\0'
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export class StoredFields {
  readonly #block: Block
  readonly #records: BlockRecords
  readonly #places: Places[] = []
  readonly #slots: SlotValues[][] = []
  readonly #listEnds: Float64Array[] = []
  readonly #writer = new ByteWriter(128)
  #rows: Int32Array | undefined

  constructor(block: Block, records: BlockRecords) {
    this.#block = block
    this.#records = records
  }

  /** Returns a text by its key: from the last change in the message's list of changes if that list has the text, else
   *  from the message. Returns undefined if neither has the text. `isAlone`: the caller needs only a few texts of the
   *  column, so the whole column is not decoded. */
  text(record: number, key: string, isAlone = false): string | undefined {
    const index = this.shapeOf(record)
    const places = this.#placesOf(index)
    const row = this.rowOf(record)
    const read = (slot: number, at: number) =>
      (isAlone ? this.#textAt(index, slot, at) : undefined) ?? this.#valueAt(index, slot, at)
    if (places.whole >= 0) return textIn(this.#valueAt(index, places.whole, row), key)
    const end = places.list < 0 ? 0 : this.#listEndsOf(index, places.list)[row]!
    const isEmpty = places.list < 0 || end === (row === 0 ? 0 : this.#listEndsOf(index, places.list)[row - 1]!)
    if (!isEmpty && isPlace(places.entry[key])) return read(slotAt(places.entry[key]), end - 1)
    return isPlace(places.message[key]) ? read(slotAt(places.message[key]), row) : undefined
  }

  /** Returns the text of each change in the message's list; skips changes without the text. If the message has no list,
   *  returns the text of the message. */
  entryTexts(record: number, key: string): string[] {
    const index = this.shapeOf(record)
    const { list, entry, whole } = this.#placesOf(index)
    const row = this.rowOf(record)
    if (whole >= 0) return entriesIn(this.#valueAt(index, whole, row)).flatMap((each) => textsOf(each[key]))
    if (list < 0) return textsOf(this.text(record, key))
    const place = entry[key]
    if (!isPlace(place)) return []
    const ends = this.#listEndsOf(index, list)
    const first = row === 0 ? 0 : ends[row - 1]!
    return Array.from({ length: ends[row]! - first }, (_, i) => this.#valueAt(index, slotAt(place), first + i))
  }

  shapeOf(record: number): number {
    return this.#records.operations[record]! >>> 1
  }

  rowOf(record: number): number {
    this.#rows ??= rowsOf(this.#records, this.#block.shapes.length)
    return this.#rows[record]!
  }

  /** Returns the values of a slot of a shape, decoded once. */
  slot(index: number, slot: number): SlotValues {
    this.#slots[index] ??= []
    this.#slots[index][slot] ??= this.#decode(index, slot)
    return this.#slots[index][slot]
  }

  #decode(index: number, slot: number): SlotValues {
    const { shape, slots, rowCount } = this.#block.shapes[index]!
    const { list } = shape.slots[slot]!
    const count = list < 0 ? rowCount : (this.#listEndsOf(index, list).at(-1) ?? 0)
    const clock = followsTime(shape, slot) ? clockOf(this.#records, index, rowCount) : undefined
    return decodeSlot(slots[slot]!, count, clock)
  }

  #listEndsOf(index: number, list: number): Float64Array {
    this.#listEnds[index] ??= listEnds(this.#block.shapes[index]!, list)
    return this.#listEnds[index]
  }

  #placesOf(index: number): Places {
    this.#places[index] ??= placesIn(this.#block.shapes[index]!.shape)
    return this.#places[index]
  }

  /** Returns undefined if the slot is not stored as text. */
  #textAt(index: number, slot: number, at: number): string | undefined {
    const bytes = decodeTextAt(this.#block.shapes[index]!.slots[slot]!, at)
    return bytes && decoder.decode(bytes)
  }

  #valueAt(index: number, slot: number, at: number): string {
    const writer = this.#writer
    writer.length = 0
    writeValue(writer, this.slot(index, slot), at)
    return decoder.decode(writer.bytes.subarray(0, writer.length))
  }
}

/** Finds the key of each slot of a shape: parses the shape's text as JSON with a marker for each slot. */
function placesIn(shape: Shape): Places {
  const [first] = shape.parts
  const isWhole = shape.parts.length === 1 && typeof first === 'object' && 'slot' in first
  if (isWhole) return { message: {}, entry: {}, list: -1, whole: first.slot }
  const message = objectOf(JSON.parse(marked(shape.parts, shape)) as unknown)
  const list = shape.kind === 'delta' ? (shape.changes?.list ?? -1) : -1
  return { message, entry: entriesOf(message).at(-1) ?? {}, list, whole: -1 }
}

function marked(parts: Part[], shape: Shape): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part
      if ('slot' in part) return shape.slots[part.slot]!.isQuoted ? `\\u0000${part.slot}` : 'null'
      return marked(part.element, shape)
    })
    .join('')
}

function textIn(message: string, key: string): string | undefined {
  const value = objectOf(JSON.parse(message) as unknown)
  return [entriesOf(value).at(-1)?.[key], value[key]].find((text) => typeof text === 'string')
}

/** Returns the changes of a message that is stored as text; the message itself if it has no list of changes. */
function entriesIn(message: string): Value[] {
  const value = objectOf(JSON.parse(message) as unknown)
  const isList = Array.isArray(value['price_changes'] ?? value['changes'])
  return isList ? entriesOf(value) : [value]
}

function entriesOf(message: Value): Value[] {
  const entries = message['price_changes'] ?? message['changes']
  return Array.isArray(entries) ? entries.map(objectOf) : []
}

const textsOf = (value: unknown): string[] => (typeof value === 'string' ? [value] : [])

const objectOf = (value: unknown): Value => (typeof value === 'object' && value !== null ? (value as Value) : {})
const isPlace = (value: unknown): value is string => typeof value === 'string' && value.startsWith(SLOT)
const slotAt = (mark: string): number => Number(mark.slice(SLOT.length))

function rowsOf({ recordCount, operations }: BlockRecords, shapeCount: number): Int32Array {
  const rows = new Int32Array(recordCount)
  const next = new Int32Array(shapeCount)
  for (let record = 0; record < recordCount; record++) rows[record] = next[operations[record]! >>> 1]!++
  return rows
}

function listEnds({ listLengths, rowCount }: ShapeColumns, list: number): Float64Array {
  const ends = decodeNumbers(listLengths[list]!, rowCount, undefined)
  for (let row = 1; row < rowCount; row++) ends[row] = ends[row]! + ends[row - 1]!
  return ends
}

function clockOf({ recordCount, timesMs, operations }: BlockRecords, shape: number, rowCount: number): RowClock {
  const clock = { timesMs: new Float64Array(rowCount), opensQuote: new Uint8Array(rowCount) }
  let row = 0
  for (let record = 0; record < recordCount; record++) {
    if (operations[record]! >>> 1 !== shape) continue
    clock.timesMs[row] = timesMs[record]!
    clock.opensQuote[row++] = operations[record]! & 1
  }
  return clock
}
