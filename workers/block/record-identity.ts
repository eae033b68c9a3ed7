// Decides when two records are the same: their `msg` is equal (in any order of keys), and also their `received_at` if
// the event time is not the venue's time. Kalshi trades are the same if their ids are equal. An identity is two
// independent 64-bit hashes of these values.

import type { SlotValues } from '../../storage/format/columns/slot-column.ts'
import type { TextTable } from '../../storage/format/columns/text-column.ts'
import type { Part, Shape } from '../../storage/format/shape.ts'
import type { Venue } from '../../storage/venue.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import { childOf, compactJson, type JsonNode, jsonTree } from '../capture/json-tree.ts'
import { isBelievable } from './believable-time.ts'
import type { DecodedBlock, DecodedShape } from './decoded-block.ts'
import { type BytePart, byteParts, writeInteger, writeMessage, writeValue } from './message-writer.ts'
import { storedVenueUs } from './stored-venue-time.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export class RecordIdentities {
  readonly #block: DecodedBlock
  readonly #parts: BytePart[][]
  readonly #books: Uint8Array[]
  readonly #writer = new ByteWriter(4_096)

  readonly #venue: Venue

  constructor(block: DecodedBlock, venue: Venue) {
    this.#venue = venue
    this.#block = { ...block, shapes: block.shapes.map(withPlainNumbers) }
    this.#parts = block.shapes.map(({ shape }) => sortedBytes(shape))
    this.#books = ['', ...block.bookIds].map((id) => encoder.encode(`${id} `))
  }

  /** Writes the identity of a record to hashes[at] and checks[at]. Returns whether it is made from a trade's id. */
  hash(record: number, hashes: BigUint64Array, checks: BigUint64Array, at: number): boolean {
    const { shapeIndexes, rows, shapes, books } = this.#block
    const shapeIndex = shapeIndexes[record]!
    const row = rows[record]!
    const shape = shapes[shapeIndex]!
    const writer = this.#writer
    writer.length = 0
    writer.write(this.#books[books[record]!]!)
    const start = writer.length
    const id = idOfTrade(shape.shape)
    if (id >= 0) writeValue(writer, shape.slots[id]!, row)
    const isTradeId = writer.length > start // an empty text names no trade
    if (!isTradeId) this.#write(shapeIndex, row)
    const bytes = writer.bytes.subarray(0, writer.length)
    hashes[at] = Bun.hash.xxHash64(bytes)
    checks[at] = Bun.hash.wyhash(bytes)
    return isTradeId
  }

  /** Returns the text by which two trades with the same id are compared. The trade whose text sorts first is stored:
   *  the form of the WebSocket sorts before the other forms of a trade. */
  comparedText(record: number): string {
    const { shapeIndexes, rows } = this.#block
    this.#writer.length = 0
    this.#write(shapeIndexes[record]!, rows[record]!)
    const text = decoder.decode(this.#writer.bytes.subarray(0, this.#writer.length))
    return `${text.includes(SOCKET_KEY) ? 0 : 1}${text}`
  }

  #write(shapeIndex: number, row: number): void {
    const writer = this.#writer
    const shape = this.#block.shapes[shapeIndex]!
    if (shape.receivedMs !== undefined && !this.#isOfVenue(shape, row, shape.receivedMs[row]!)) {
      writeInteger(writer, shape.receivedMs[row]!)
    }
    const start = writer.length
    writeMessage(writer, this.#parts[shapeIndex]!, shape, row)
    if (isText(shape.shape)) sortText(writer, start)
  }

  /** Returns whether the event time of the record is the venue's time, no matter when the record is loaded. */
  #isOfVenue(shape: DecodedShape, row: number, receivedMs: number): boolean {
    const venueUs = storedVenueUs(shape, row)
    const { kind } = shape.shape
    if (Number.isNaN(venueUs) || kind === 'gap') return !Number.isNaN(venueUs)
    const loadingMs = Number.isNaN(receivedMs) ? Number.POSITIVE_INFINITY : receivedMs
    return isBelievable(this.#venue, kind, Math.floor(venueUs / 1_000), receivedMs, loadingMs)
  }
}

/** Returns the slot of a trade's id, if no other trade has that id; -1 for any other record. A trade that states the
 *  action of its taker has the id of its transaction, and a transaction may have several trades. */
function idOfTrade({ trade, slots }: Shape): number {
  const id = ownIdOf(trade)
  return id >= 0 && slots[id]!.isQuoted ? id : -1
}

/** Like `idOfTrade`, but also accepts ids that are printed without quotes. */
export const ownIdOf = (trade: Shape['trade']): number =>
  trade === null || trade.sideMeaning === 'action' ? -1 : trade.id

/** Only WebSocket messages have this key for a trade's market. */
const SOCKET_KEY = '"market_ticker":'

/** Replaces each number by its shortest form, because 0.50, 0.5 and 5e-1 are the same JSON number. Keeps quoted
 *  numbers: they are texts. */
function withPlainNumbers(shape: DecodedShape): DecodedShape {
  const slots = shape.slots.map((slot, i): SlotValues => {
    if (shape.shape.slots[i]!.isQuoted || slot.form === 'instant') return slot
    return slot.form === 'decimal' ? { ...slot, style: 'trimmed' } : { ...slot, texts: withPlainWords(slot.texts) }
  })
  return { ...shape, slots }
}

function withPlainWords({ arena, offsets, wordCount, indexes }: TextTable): TextTable {
  const decoder = new TextDecoder()
  const words = Array.from({ length: wordCount }, (_, i) =>
    encoder.encode(plainNumber(decoder.decode(arena.subarray(offsets[i], offsets[i + 1])))),
  )
  const plainOffsets = new Uint32Array(wordCount + 1)
  words.forEach((word, i) => {
    plainOffsets[i + 1] = plainOffsets[i]! + word.length
  })
  return { arena: new Uint8Array(Buffer.concat(words)), offsets: plainOffsets, wordCount, indexes }
}

/** Returns the number as a decimal column prints it without trailing zeros; unchanged if a double cannot hold it. */
function plainNumber(printed: string): string {
  const isExact = /^-?[\d.]+(?:[eE][+-]?\d{1,2})?$/.test(printed) && printed.replace(/\D/g, '').length <= 15
  if (!isExact) return printed
  const shortest = String(Number(printed))
  const small = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(shortest)
  if (small === null) return shortest
  const [, sign, first, rest = '', power] = small
  return `${sign}0.${'0'.repeat(Number(power) - 1)}${first}${rest}`
}

const isText = (shape: Shape): boolean => shape.parts.length === 1 && typeof shape.parts[0] !== 'string'

function sortText(writer: ByteWriter, start: number): void {
  const text = writer.bytes.slice(start, writer.length)
  writer.length = start
  writer.write(encoder.encode(sortedJson(text, jsonTree(text))))
}

/** Returns a message with sorted keys and plain numbers, like the text of a message that has a shape. */
function sortedJson(text: Uint8Array, node: JsonNode): string {
  if (node.type === 'array') return `[${node.children.map((child) => sortedJson(text, child)).join(',')}]`
  if (node.type === 'object') {
    const sorted = sortKeys(Object.fromEntries(node.keys.map((key) => [key, null]))) as object
    const entries = Object.keys(sorted).map((key) => `${JSON.stringify(key)}:${sortedJson(text, childOf(node, key)!)}`)
    return `{${entries.join(',')}}`
  }
  const printed = compactJson(text, node)
  return node.type === 'number' ? plainNumber(printed) : printed
}

/** Cache of the sorted parts of each shape. */
const sorted = new WeakMap<Shape, BytePart[]>()

function sortedBytes(shape: Shape): BytePart[] {
  let parts = sorted.get(shape)
  if (parts === undefined) {
    parts = byteParts(sortedParts(shape))
    sorted.set(shape, parts)
  }
  return parts
}

/** Returns the shape's parts with the keys of every object in ascending order. */
export function sortedParts(shape: Shape): Part[] {
  if (isText(shape)) return shape.parts
  return toParts(JSON.stringify(sortKeys(JSON.parse(withMarkers(shape.parts)))))
}

// Each slot becomes a text that no message has, so the result is JSON that can be parsed and sorted. A list becomes an
// array of its number and its element.
const MARK = '\\u0001'

function withMarkers(parts: Part[]): string {
  let isInString = false
  return parts
    .map((part, i) => {
      if (typeof part === 'string') {
        isInString = part.endsWith('"') && isValueQuote(parts[i + 1])
        return part
      }
      if ('list' in part) return `"${MARK}L${part.list}${MARK}",${withMarkers(part.element)}`
      return isInString ? `${MARK}S${part.slot}${MARK}` : `"${MARK}N${part.slot}${MARK}"`
    })
    .join('')
}

const isValueQuote = (next: Part | undefined): boolean => typeof next === 'object' && 'slot' in next

function toParts(text: string): Part[] {
  const parts: Part[] = []
  const pattern = /"\\u0001N(\d+)\\u0001"|\\u0001S(\d+)\\u0001|"\\u0001L(\d+)\\u0001",/g
  let copied = 0
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    if (found.index > copied) parts.push(text.slice(copied, found.index))
    const [marker, number, string, list] = found
    copied = found.index + marker.length
    if (list === undefined) parts.push({ slot: Number(number ?? string) })
    else {
      const end = elementEnd(text, copied)
      parts.push({ list: Number(list), element: toParts(text.slice(copied, end)) })
      copied = end
      pattern.lastIndex = end
    }
  }
  if (copied < text.length) parts.push(text.slice(copied))
  return parts
}

/** Returns the position of the bracket that closes the array whose element starts at `start`. */
function elementEnd(text: string, start: number): number {
  let depth = 0
  let isInString = false
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === '"') isInString = !isInString
    else if (!isInString && (character === '[' || character === '{')) depth++
    else if (!isInString && (character === ']' || character === '}') && depth-- === 0) return at
  }
  return text.length
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sortKeys(item)]),
  )
}
