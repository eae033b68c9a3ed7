// Writes a message back from its columns: the shape's text with the values of a row in their places.

import { printDecimal, printTrimmedDecimal } from '../../storage/format/columns/decimal-text.ts'
import { printInstant } from '../../storage/format/columns/instant-text.ts'
import type { SlotValues } from '../../storage/format/columns/slot-column.ts'
import type { Part } from '../../storage/format/shape.ts'
import type { ByteWriter } from '../bytes/byte-writer.ts'
import type { DecodedShape } from './decoded-block.ts'

/** A shape's parts with their text as bytes. */
export type BytePart = Uint8Array | { slot: number } | { list: number; element: BytePart[] }

const NUMBER_BYTES_MAX = 32
const COMMA = 0x2c
const encoder = new TextEncoder()

export function byteParts(parts: Part[]): BytePart[] {
  return parts.map((part) => {
    if (typeof part === 'string') return encoder.encode(part)
    return 'slot' in part ? part : { list: part.list, element: byteParts(part.element) }
  })
}

export function writeMessage(writer: ByteWriter, parts: BytePart[], shape: DecodedShape, row: number): void {
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!
    if (part instanceof Uint8Array) writer.write(part)
    else if ('slot' in part) writeValue(writer, shape.slots[part.slot]!, row)
    else writeElements(writer, part, shape, row)
  }
}

export function writeInteger(writer: ByteWriter, value: number): void {
  writer.reserve(NUMBER_BYTES_MAX)
  writer.length = printDecimal(value, 0, writer.bytes, writer.length)
}

function writeElements(
  writer: ByteWriter,
  part: { list: number; element: BytePart[] },
  shape: DecodedShape,
  row: number,
): void {
  const starts = shape.listStarts[part.list]!
  const end = starts[row + 1]!
  for (let element = starts[row]!; element < end; element++) {
    if (element > starts[row]!) {
      writer.writeByte(COMMA)
    }
    writeMessage(writer, part.element, shape, element)
  }
}

export function writeValue(writer: ByteWriter, slot: SlotValues, index: number): void {
  if (slot.form === 'text') {
    const { arena, offsets, indexes } = slot.texts
    const word = indexes[index]!
    writer.writeSlice(arena, offsets[word]!, offsets[word + 1]!)
    return
  }
  writer.reserve(NUMBER_BYTES_MAX)
  const value = slot.values[index]!
  if (slot.form === 'instant') writer.length = printInstant(value, writer.bytes, writer.length)
  else if (slot.style === 'fixed') writer.length = printDecimal(value, slot.scale, writer.bytes, writer.length)
  else if (slot.style === 'trimmed') writer.length = printTrimmedDecimal(value, slot.scale, writer.bytes, writer.length)
  else {
    const places = slot.places![index]!
    writer.length = printDecimal(value / 10 ** (slot.scale - places), places, writer.bytes, writer.length)
  }
}
