// Writes one row of a shape, step by step (row-steps.ts). A raw page spends most of its time in this loop.

import type { ByteWriter } from '../bytes/byte-writer.ts'
import { printFixed, printTrimmed } from './print-number.ts'
import { FIXED, INSTANT, LIST, MIXED, NULLABLE, type Step, TEXT, TRIMMED } from './row-steps.ts'

const COMMA = 0x2c
const NULL_WORD = 0x6c6c_756e

export function writeRow(writer: ByteWriter, steps: Step[], row: number): void {
  let { view, length: at } = writer
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i]!
    if (at + step.room > view.byteLength) {
      writer.length = at
      writer.reserve(step.room)
      view = writer.view
    }
    const { literal, kind, values } = step
    for (let word = 0; word < literal.length; word++) view.setFloat64(at + 8 * word, literal[word]!, true)
    at += step.literalLength
    if (kind === FIXED) at = printFixed(view, at, values[row]!, step.scale)
    else if (kind === TEXT) {
      const start = step.offsets[values[row]!]!
      const end = step.offsets[values[row]! + 1]!
      if (at + end - start > view.byteLength) {
        writer.length = at
        writer.reserve(end - start)
        view = writer.view
      }
      copyText(view, at, step.arena, start, end)
      at += end - start
    } else if (kind === INSTANT) at = step.instants.print(view, at, values[row]!)
    else if (kind === TRIMMED) at = printTrimmed(view, at, values[row]!, step.scale)
    else if (kind === NULLABLE) at = printNullable(view, at, values[row]!)
    else if (kind === LIST) {
      writer.length = at
      writeElements(writer, step, row)
      at = writer.length
      view = writer.view
    } else if (kind === MIXED) {
      const places = step.places[row]!
      at = printFixed(view, at, values[row]! / 10 ** (step.scale - places), places)
    }
  }
  writer.length = at
}

function writeElements(writer: ByteWriter, { values: starts, element }: Step, row: number): void {
  const start = starts[row]!
  const end = starts[row + 1]!
  for (let index = start; index < end; index++) {
    if (index > start) writer.writeByte(COMMA)
    writeRow(writer, element, index)
  }
}

function copyText(view: DataView, at: number, arena: DataView, start: number, end: number): void {
  let from = start
  let to = at
  for (; from + 4 <= end; from += 4, to += 4) view.setInt32(to, arena.getInt32(from, true), true)
  for (; from < end; from++, to++) view.setUint8(to, arena.getUint8(from))
}

function printNullable(view: DataView, at: number, value: number): number {
  if (value >= 0) return printFixed(view, at, value, 0)
  view.setInt32(at, NULL_WORD, true)
  return at + 4
}
