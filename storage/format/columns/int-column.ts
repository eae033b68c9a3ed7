// A column of integers (|value| < 2^52), stored in the form that packs it best:
//
//   constant      one value, whatever the count
//   frame         value - minimum, in byte planes
//   delta         value - previous value, for columns that never fall
//   delta zigzag  value - previous value, with the sign folded into the lowest bit
//   dictionary    index into the distinct values, most frequent first
//   float         eight bytes each, for anything larger
//   bits          value - minimum, if always less than 16, in 1, 2 or 4 bits each

import { bitsFor, packedBytes, readBits, writeBits } from './bits.ts'
import { chooseForm, foldSign } from './choose-form.ts'
import { planeWidth, readPlanes, readSteps, writePlanes } from './planes.ts'

export const CONSTANT = 0
const FRAME = 1
const DELTA = 2
const DELTA_ZIGZAG = 3
const DICTIONARY = 4
export const FLOAT = 5
export const BITS = 6

export const HEADER_BYTES = 10 // form, width, one float64
const DICTIONARY_MAX = 4_096
const EXACT_MAX = 2 ** 52
const BITS_VALUES = 16

/** Encodes the first `count` values. The caller stores the count. */
export function encodeInts(values: Float64Array, count: number): Uint8Array {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (let i = 0; i < count; i++) {
    const value = values[i]!
    if (value < min) min = value
    if (value > max) max = value
  }
  if (count === 0 || min === max) return header(CONSTANT, 0, count === 0 ? 0 : min, 0)
  if (max - min >= EXACT_MAX || max >= EXACT_MAX || min <= -EXACT_MAX) return encodeFloats(values, count)
  const form = chooseForm(values, count)
  if (form === 'dictionary') {
    const encoded = encodeDictionary(values, count)
    if (encoded !== undefined) return encoded
  }
  if (form === 'delta') return encodeDeltas(values, count)
  return encodeFrame(values, count, min, max)
}

/** Returns where the byte planes of an encoded column begin, and how many there are. A form without planes counts as
 *  one plane. */
export function planesOf(encoded: Uint8Array): { start: number; width: number } {
  const form = encoded[0]!
  if (form === CONSTANT || form === FLOAT || form === BITS) return { start: HEADER_BYTES, width: 1 }
  if (form !== DICTIONARY) return { start: HEADER_BYTES, width: encoded[1]! }
  const wordBytes = new DataView(encoded.buffer, encoded.byteOffset).getUint32(HEADER_BYTES, true)
  return { start: HEADER_BYTES + 4 + wordBytes, width: encoded[1]! }
}

/** Decodes `count` values, into `values` if it is given. Throws RangeError for bytes that `encodeInts` did not
 *  write. */
export function decodeInts(bytes: Uint8Array, count: number, values = new Float64Array(count)): Float64Array {
  if (bytes.length < HEADER_BYTES) throw new RangeError('integer column is shorter than its header')
  const form = bytes[0]!
  const width = bytes[1]!
  const base = baseOf(bytes)
  if (form === CONSTANT) return values.fill(base)
  if (form === DICTIONARY) return decodeDictionary(bytes, values)
  if (form === FLOAT) {
    expectLength(bytes, HEADER_BYTES + 8 * count)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let i = 0; i < count; i++) values[i] = view.getFloat64(HEADER_BYTES + 8 * i, true)
    return values
  }
  if (form === BITS) {
    readBits(bitsOf(bytes, count), width, values)
    for (let i = 0; i < count; i++) values[i] = values[i]! + base
    return values
  }
  expectLength(bytes, HEADER_BYTES + width * count)
  if (form === FRAME) readPlanes(bytes, HEADER_BYTES, count, width, values, base)
  else if (form === DELTA) readSteps(bytes, HEADER_BYTES, count, width, values, base)
  else if (form === DELTA_ZIGZAG) {
    readPlanes(bytes, HEADER_BYTES, count, width, values, 0)
    sumZigzags(values, base)
  } else throw new RangeError(`integer column has the unknown form ${form}`)
  return values
}

/** The distinct numbers of a column, and for each row the index of its number. */
export type IndexedNumbers = { words: Float64Array; indexes: Uint16Array }

/** Decodes a dictionary column, so that a caller can process each distinct number only once. Returns undefined for
 *  any other form. */
export function decodeIndexedInts(bytes: Uint8Array, count: number): IndexedNumbers | undefined {
  if (bytes[0] !== DICTIONARY || bytes.length < HEADER_BYTES + 4) return undefined
  const width = bytes[1]!
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const wordCount = view.getFloat64(2, true)
  const start = HEADER_BYTES + 4 + view.getUint32(HEADER_BYTES, true)
  expectLength(bytes, start + width * count)
  const words = decodeInts(bytes.subarray(HEADER_BYTES + 4, start), wordCount)
  const indexes = new Uint16Array(count)
  let indexMax = 0
  for (let i = 0; i < count; i++) {
    const index = width === 1 ? bytes[start + i]! : bytes[start + i]! | (bytes[start + count + i]! << 8)
    indexes[i] = index
    if (index > indexMax) indexMax = index
  }
  if (count > 0 && indexMax >= wordCount) throw new RangeError('integer column points outside its dictionary')
  return { words, indexes }
}

/** Like `decodeInts`, for columns of small indexes: copies values of one or two bytes straight from their planes. */
export function decodeIndexes(bytes: Uint8Array, count: number, indexes = new Uint16Array(count)): Uint16Array {
  const constant = constantOf(bytes)
  if (constant !== undefined && constant >= 0 && constant < 0x1_0000) return indexes.fill(constant)
  const width = bytes[1]!
  const base = bytes.length < HEADER_BYTES ? Number.NaN : baseOf(bytes)
  if (bytes[0] === BITS && base === 0) {
    readBits(bitsOf(bytes, count), width, indexes)
    return indexes
  }
  const isPlain = bytes[0] === FRAME && width <= 2 && bytes.length === HEADER_BYTES + width * count
  if (!isPlain || base !== 0) {
    const values = decodeInts(bytes, count)
    for (let i = 0; i < count; i++) {
      if (!(values[i]! >= 0 && values[i]! < 0x1_0000)) throw new RangeError('index column holds more than indexes')
      indexes[i] = values[i]!
    }
    return indexes
  }
  if (width === 1) indexes.set(bytes.subarray(HEADER_BYTES))
  else for (let i = 0; i < count; i++) indexes[i] = bytes[HEADER_BYTES + i]! | (bytes[HEADER_BYTES + count + i]! << 8)
  return indexes
}

function constantOf(bytes: Uint8Array): number | undefined {
  if (bytes[0] !== CONSTANT || bytes.length < HEADER_BYTES) return undefined
  return baseOf(bytes)
}

function bitsOf(bytes: Uint8Array, count: number): Uint8Array {
  const width = bytes[1]!
  if (width !== 1 && width !== 2 && width !== 4) throw new RangeError(`integer column has values of ${width} bits`)
  expectLength(bytes, HEADER_BYTES + packedBytes(count, width))
  return bytes.subarray(HEADER_BYTES)
}

/** Shared by all calls, because creating a view of each small column would cost more than the column. */
const float = new DataView(new ArrayBuffer(8))
const floatBytes = new Uint8Array(float.buffer)

function header(form: number, width: number, base: number, payloadBytes: number): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + payloadBytes)
  bytes[0] = form
  bytes[1] = width
  float.setFloat64(0, base, true)
  bytes.set(floatBytes, 2)
  return bytes
}

function baseOf(bytes: Uint8Array): number {
  for (let i = 0; i < 8; i++) floatBytes[i] = bytes[2 + i]!
  return float.getFloat64(0, true)
}

function expectLength(bytes: Uint8Array, length: number): void {
  if (bytes.length !== length) throw new RangeError(`integer column has ${bytes.length} bytes, must have ${length}`)
}

function encodeFloats(values: Float64Array, count: number): Uint8Array {
  const bytes = header(FLOAT, 8, 0, 8 * count)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < count; i++) view.setFloat64(HEADER_BYTES + 8 * i, values[i]!, true)
  return bytes
}

function encodeFrame(values: Float64Array, count: number, min: number, max: number): Uint8Array {
  if (max - min < BITS_VALUES) return encodeBits(values, count, min >= 0 && max < BITS_VALUES ? 0 : min, max)
  // Values that need no more bytes than the offsets are stored unchanged: reading them needs no addition.
  const base = min >= 0 && planeWidth(max) === planeWidth(max - min) ? 0 : min
  const width = planeWidth(max - base)
  const bytes = header(FRAME, width, base, width * count)
  const offsets = base === 0 ? values : new Float64Array(count)
  if (base !== 0) for (let i = 0; i < count; i++) offsets[i] = values[i]! - base
  writePlanes(offsets, count, width, bytes, HEADER_BYTES)
  return bytes
}

function encodeBits(values: Float64Array, count: number, base: number, max: number): Uint8Array {
  const width = bitsFor(max - base)
  const bytes = header(BITS, width, base, packedBytes(count, width))
  writeBits(values, count, base, width, bytes.subarray(HEADER_BYTES))
  return bytes
}

// The minimum is computed without the first step. This step is always zero, because `base` is the first value.
function encodeDeltas(values: Float64Array, count: number): Uint8Array {
  const steps = new Float64Array(count)
  let stepMin = Number.POSITIVE_INFINITY
  let stepMax = Number.NEGATIVE_INFINITY
  for (let i = 1; i < count; i++) {
    const step = values[i]! - values[i - 1]!
    steps[i] = step
    if (step < stepMin) stepMin = step
    if (step > stepMax) stepMax = step
  }
  if (stepMin >= 0) {
    const width = planeWidth(stepMax)
    const bytes = header(DELTA, width, values[0]!, width * count)
    writePlanes(steps, count, width, bytes, HEADER_BYTES)
    return bytes
  }
  let foldedMax = 0
  for (let i = 0; i < count; i++) {
    const folded = foldSign(steps[i]!)
    steps[i] = folded
    if (folded > foldedMax) foldedMax = folded
  }
  const width = planeWidth(foldedMax)
  const bytes = header(DELTA_ZIGZAG, width, values[0]!, width * count)
  writePlanes(steps, count, width, bytes, HEADER_BYTES)
  return bytes
}

function sumZigzags(steps: Float64Array, base: number): Float64Array {
  let value = base
  for (let i = 0; i < steps.length; i++) {
    const folded = steps[i]!
    const half = Math.floor(folded / 2)
    // An odd folded number stands for the step -half - 1. This formula avoids a remainder of floats and an
    // unpredictable branch, which are slower.
    value += half - (folded - 2 * half) * (2 * half + 1)
    steps[i] = value
  }
  return steps
}

function encodeDictionary(values: Float64Array, count: number): Uint8Array | undefined {
  // Numbers the distinct values in order of appearance, so that each value is looked up only once. Afterwards replaces
  // each number by the value's place in the order of frequency.
  const numbers = new Map<number, number>()
  const distinct: number[] = []
  const frequencies = new Float64Array(DICTIONARY_MAX)
  const places = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    const value = values[i]!
    let number = numbers.get(value)
    if (number === undefined) {
      if (distinct.length === DICTIONARY_MAX) return undefined
      number = distinct.length
      numbers.set(value, number)
      distinct.push(value)
    }
    frequencies[number]!++
    places[i] = number
  }
  const order = [...distinct.keys()].sort((a, b) => frequencies[b]! - frequencies[a]! || distinct[a]! - distinct[b]!)
  const placeOf = new Float64Array(order.length)
  order.forEach((number, place) => {
    placeOf[number] = place
  })
  for (let i = 0; i < count; i++) places[i] = placeOf[places[i]!]!
  const words = Float64Array.from(order, (number) => distinct[number]!)
  const encodedWords = encodeInts(words, words.length)
  const width = planeWidth(words.length - 1)
  const bytes = header(DICTIONARY, width, words.length, 4 + encodedWords.length + width * count)
  new DataView(bytes.buffer).setUint32(HEADER_BYTES, encodedWords.length, true)
  bytes.set(encodedWords, HEADER_BYTES + 4)
  writePlanes(places, count, width, bytes, HEADER_BYTES + 4 + encodedWords.length)
  return bytes
}

function decodeDictionary(bytes: Uint8Array, values: Float64Array): Float64Array {
  const indexed = decodeIndexedInts(bytes, values.length)
  if (indexed === undefined) throw new RangeError('integer column is shorter than its dictionary')
  const { words, indexes } = indexed
  for (let i = 0; i < values.length; i++) values[i] = words[indexes[i]!]!
  return values
}
