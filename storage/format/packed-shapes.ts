// The shapes of a block as bytes. A venue has few, and every block repeats some of them: what was packed or unpacked is
// kept, so that a small block costs little more than its columns.

import { Packr } from 'msgpackr'
import { packText, unpack } from './columns/packed.ts'
import type { Shape } from './shape.ts'

const KEPT_MAX = 256
const packr = new Packr({ useRecords: false, variableMapSize: true })

const numbers = new WeakMap<Shape, number>()
let nextNumber = 0
/** By the numbers of the shapes. */
const packed = new Map<string, Uint8Array>()
/** By the hash of the bytes. */
const unpacked = new Map<bigint, { bytes: Uint8Array; shapes: Shape[] }>()

/** The shapes must not change afterwards. */
export function packShapes(shapes: readonly Shape[]): Uint8Array {
  const name = shapes.map(numberOf).join()
  let bytes = packed.get(name)
  if (bytes === undefined) {
    bytes = packText(packr.pack(shapes))
    keep(packed, name, bytes)
  }
  return bytes
}

/** Gives the same objects for the same bytes: they must not be changed. Throws on bytes that are no shapes. */
export function unpackShapes(bytes: Uint8Array): readonly Shape[] {
  const hash = Bun.hash.xxHash64(bytes)
  const kept = unpacked.get(hash)
  if (kept !== undefined && Buffer.compare(kept.bytes, bytes) === 0) return kept.shapes
  const shapes = packr.unpack(unpack(bytes)) as Shape[]
  if (!Array.isArray(shapes)) throw new RangeError('block has no list of shapes')
  keep(unpacked, hash, { bytes: bytes.slice(), shapes })
  return shapes
}

function numberOf(shape: Shape): number {
  let number = numbers.get(shape)
  if (number === undefined) {
    number = nextNumber++
    numbers.set(shape, number)
  }
  return number
}

function keep<Key, Value>(kept: Map<Key, Value>, key: Key, value: Value): void {
  if (kept.size >= KEPT_MAX) kept.clear()
  kept.set(key, value)
}
