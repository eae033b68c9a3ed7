// Byte planes: n non-negative integers stored as all lowest bytes, then all second bytes, and so on. The bytes of one
// plane resemble each other, so an entropy coder packs them close to their entropy, and reading takes a few additions
// per value.

const SMALL_STEPS_MAX = 0x8000

/** Returns the number of bytes that the largest value needs, 1 to 7. */
export function planeWidth(valueMax: number): number {
  let width = 1
  for (let limit = 256; valueMax >= limit; limit *= 256) width++
  return width
}

/** Writes `count` integers in 0..2^53 at `offset`, `width` bytes each. */
export function writePlanes(
  values: Float64Array,
  count: number,
  width: number,
  target: Uint8Array,
  offset: number,
): void {
  if (width === 1) {
    for (let i = 0; i < count; i++) target[offset + i] = values[i]!
    return
  }
  if (width <= 4) {
    for (let i = 0; i < count; i++) {
      const value = values[i]! >>> 0
      target[offset + i] = value
      target[offset + count + i] = value >>> 8
      if (width > 2) target[offset + 2 * count + i] = value >>> 16
      if (width > 3) target[offset + 3 * count + i] = value >>> 24
    }
    return
  }
  for (let i = 0; i < count; i++) {
    const low = values[i]! % 0x1_0000_0000
    const high = (values[i]! - low) / 0x1_0000_0000
    for (let plane = 0; plane < 4; plane++) target[offset + plane * count + i] = low >>> (8 * plane)
    for (let plane = 4; plane < width; plane++) target[offset + plane * count + i] = high >>> (8 * (plane - 4))
  }
}

// One function per width: a single function with all loops was compiled for the widths that came first. Once other
// widths came, it became six times slower and stayed so.

/** Reads into `values` what `writePlanes` wrote, and adds `base` to each value. */
export function readPlanes(
  source: Uint8Array,
  offset: number,
  count: number,
  width: number,
  values: Float64Array,
  base: number,
): void {
  if (width === 1) readBytes(source, offset, count, values, base)
  else if (width === 2) readWords(source, offset, count, values, base)
  else if (width === 3) readThrees(source, offset, count, values, base)
  else if (width === 4) readFours(source, offset, count, values, base)
  else readWide(source, offset, count, width, values, base)
}

function readBytes(source: Uint8Array, offset: number, count: number, values: Float64Array, base: number): void {
  for (let i = 0; i < count; i++) values[i] = base + source[offset + i]!
}

function readWords(source: Uint8Array, offset: number, count: number, values: Float64Array, base: number): void {
  const second = offset + count
  for (let i = 0; i < count; i++) values[i] = base + (source[offset + i]! | (source[second + i]! << 8))
}

function readThrees(source: Uint8Array, offset: number, count: number, values: Float64Array, base: number): void {
  const second = offset + count
  const third = second + count
  for (let i = 0; i < count; i++)
    values[i] = base + (source[offset + i]! | (source[second + i]! << 8) | (source[third + i]! << 16))
}

function readFours(source: Uint8Array, offset: number, count: number, values: Float64Array, base: number): void {
  const second = offset + count
  const third = second + count
  const fourth = third + count
  for (let i = 0; i < count; i++) {
    const low = source[offset + i]! | (source[second + i]! << 8) | (source[third + i]! << 16)
    values[i] = base + (low + source[fourth + i]! * 0x100_0000)
  }
}

function readWide(
  source: Uint8Array,
  offset: number,
  count: number,
  width: number,
  values: Float64Array,
  base: number,
): void {
  const second = offset + count
  const third = second + count
  const fourth = third + count
  for (let i = 0; i < count; i++) {
    const low = source[offset + i]! | (source[second + i]! << 8) | (source[third + i]! << 16)
    let value = low + source[fourth + i]! * 0x100_0000
    for (let plane = 4, weight = 0x1_0000_0000; plane < width; plane++, weight *= 256)
      value += source[offset + plane * count + i]! * weight
    values[i] = base + value
  }
}

/** Reads steps that `writePlanes` wrote: each value is `base` plus all steps up to and including its own. */
export function readSteps(
  source: Uint8Array,
  offset: number,
  count: number,
  width: number,
  values: Float64Array,
  base: number,
): void {
  if (width > 2 || count > SMALL_STEPS_MAX) {
    readPlanes(source, offset, count, width, values, 0)
    sumSteps(values, count, base)
  } else if (width === 1) readByteSteps(source, offset, count, values, base)
  else readWordSteps(source, offset, count, values, base)
}

function sumSteps(values: Float64Array, count: number, base: number): void {
  for (let i = 0, value = base; i < count; i++) {
    value += values[i]!
    values[i] = value
  }
}

// At most SMALL_STEPS_MAX steps of two bytes sum to at most 31 bits. So integers can be added, which takes a quarter of
// the time of adding floats.

function readByteSteps(source: Uint8Array, offset: number, count: number, values: Float64Array, base: number): void {
  for (let i = 0, sum = 0; i < count; i++) {
    sum = (sum + source[offset + i]!) | 0
    values[i] = base + sum
  }
}

function readWordSteps(source: Uint8Array, offset: number, count: number, values: Float64Array, base: number): void {
  const second = offset + count
  for (let i = 0, sum = 0; i < count; i++) {
    sum = (sum + (source[offset + i]! | (source[second + i]! << 8))) | 0
    values[i] = base + sum
  }
}
