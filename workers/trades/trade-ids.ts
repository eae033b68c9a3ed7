// Reads the venue's id of each trade of a block, as texts.

import type { Block, ShapeColumns } from '../../storage/format/block.ts'
import { decodeSlot, decodeTextAt, type SlotValues } from '../../storage/format/columns/slot-column.ts'
import type { TextTable } from '../../storage/format/columns/text-column.ts'
import { writeValue } from '../block/message-writer.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import { NO_TEXTS, NULL, type Texts } from '../table/table.ts'

/** The ids of trades. For each trade, `values` has an index into `texts`; NULL if the trade has no id. */
export type TradeIds = { values: Float64Array; texts: Texts }

export const NO_IDS: TradeIds = { values: new Float64Array(0), texts: NO_TEXTS }

/** The shape of each trade's record, and the record's row among the records of that shape. */
type TradeRows = { count: number; shapes: Uint16Array; rows: Int32Array }

const BACKSLASH = 0x5c
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function idsOf(block: Block, { count, shapes, rows }: TradeRows): TradeIds {
  const values = new Float64Array(count).fill(NULL)
  let texts = NO_TEXTS
  const isOfTrades = new Uint8Array(block.shapes.length)
  for (let i = 0; i < count; i++) isOfTrades[shapes[i]!] = 1
  for (let shape = 0; shape < isOfTrades.length; shape++) {
    if (isOfTrades[shape] === 0) continue
    const table = idTable(block.shapes[shape]!)
    if (table === undefined) continue
    const { indexes } = table
    const before = texts.offsets.length - 1
    for (let i = 0; i < count; i++) if (shapes[i] === shape) values[i] = before + indexes[rows[i]!]!
    texts = appendTexts(texts, table)
  }
  return { values, texts }
}

/** Returns the id of the trade in one row; null if it has none. Decodes no other text. */
export function idAt(columns: ShapeColumns, row: number): string | null {
  const id = slotOfIds(columns)
  if (id < 0) return null
  const column = columns.slots[id]!
  const bytes = decodeTextAt(column, row) ?? printedAt(decodeSlot(column, columns.rowCount, undefined), row)
  const text = decoder.decode(bytes)
  return bytes.includes(BACKSLASH) ? (JSON.parse(`"${text}"`) as string) : text
}

/** Returns the slot of the ids; -1 if the messages have no ids, or ids that are not texts. */
function slotOfIds({ shape: { trade, slots } }: ShapeColumns): number {
  const id = trade?.id ?? -1
  return id >= 0 && slots[id]!.isQuoted ? id : -1
}

function printedAt(slot: SlotValues, row: number): Uint8Array {
  const writer = new ByteWriter(64)
  writeValue(writer, slot, row)
  return writer.take()
}

/** Returns the ids of a shape's rows; undefined if the messages have none. */
function idTable(columns: ShapeColumns): TextTable | undefined {
  const id = slotOfIds(columns)
  if (id < 0) return undefined
  const { slots, rowCount } = columns
  const slot = decodeSlot(slots[id]!, rowCount, undefined)
  const table = slot.form === 'text' ? slot.texts : printed(slot, rowCount)
  return table.arena.includes(BACKSLASH) ? unescaped(table) : table
}

/** Returns texts that are stored as numbers or times, in their original spelling. */
function printed(slot: SlotValues, rowCount: number): TextTable {
  const writer = new ByteWriter(16 * rowCount)
  const offsets = new Uint32Array(rowCount + 1)
  for (let row = 0; row < rowCount; row++) {
    writeValue(writer, slot, row)
    offsets[row + 1] = writer.length
  }
  return { arena: writer.take(), offsets, wordCount: rowCount, indexes: Float64Array.from(offsets.keys()) }
}

/** Decodes the escapes of texts, which are stored in the same form as in JSON. */
function unescaped({ arena, offsets, wordCount, indexes }: TextTable): TextTable {
  const writer = new ByteWriter(arena.length)
  const ends = new Uint32Array(wordCount + 1)
  for (let word = 0; word < wordCount; word++) {
    const text = decoder.decode(arena.subarray(offsets[word], offsets[word + 1]))
    writer.write(encoder.encode(JSON.parse(`"${text}"`) as string))
    ends[word + 1] = writer.length
  }
  return { arena: writer.take(), offsets: ends, wordCount, indexes }
}

function appendTexts(first: Texts, { arena, offsets, wordCount }: TextTable): Texts {
  const start = first.offsets.at(-1)!
  if (start === 0 && first.offsets.length === 1) return { arena, offsets: offsets.subarray(0, wordCount + 1) }
  const both = new Uint8Array(start + offsets[wordCount]!)
  both.set(first.arena.subarray(0, start))
  both.set(arena.subarray(0, offsets[wordCount]), start)
  const ends = new Uint32Array(first.offsets.length + wordCount)
  ends.set(first.offsets)
  for (let word = 1; word <= wordCount; word++) ends[first.offsets.length - 1 + word] = start + offsets[word]!
  return { arena: both, offsets: ends }
}
