// Encodes the shapes of a block. A venue has few shapes, and most blocks repeat them: encoded and decoded lists are
// cached, so that a small block costs little more than its columns.

import { Packr } from 'msgpackr'
import { packText, unpack } from './columns/packed.ts'
import type { Shape } from './shape.ts'

const CACHED_MAX = 256
const packr = new Packr({ useRecords: false, variableMapSize: true })

const numbers = new WeakMap<Shape, number>()
let nextNumber = 0
/** Encoded lists, keyed by the numbers of their shapes. */
const packed = new Map<string, Uint8Array>()
/** Decoded lists, keyed by the hash of their bytes. */
const unpacked = new Map<bigint, { bytes: Uint8Array; shapes: Shape[] }>()

/** Encodes a list of shapes. They must not change afterwards. */
export function packShapes(shapes: readonly Shape[]): Uint8Array {
  const name = shapes.map(numberOf).join()
  let bytes = packed.get(name)
  if (bytes === undefined) {
    bytes = packText(packr.pack(shapes))
    addToCache(packed, name, bytes)
  }
  return bytes
}

/** Decodes a list of shapes. Returns the same objects for the same bytes, so callers must not change them. Throws if
 *  the bytes are not shapes. */
export function unpackShapes(bytes: Uint8Array): readonly Shape[] {
  const hash = Bun.hash.xxHash64(bytes)
  const cached = unpacked.get(hash)
  if (cached !== undefined && Buffer.compare(cached.bytes, bytes) === 0) return cached.shapes
  const shapes = packr.unpack(unpack(bytes)) as Shape[]
  if (!Array.isArray(shapes)) throw new RangeError('block has no list of shapes')
  addToCache(unpacked, hash, { bytes: bytes.slice(), shapes })
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

function addToCache<Key, Value>(cache: Map<Key, Value>, key: Key, value: Value): void {
  if (cache.size >= CACHED_MAX) cache.clear()
  cache.set(key, value)
}
