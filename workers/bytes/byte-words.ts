// Compares several bytes at a time: nearly all of a line is text that is known beforehand.

let viewed: Uint8Array = new Uint8Array(0)
let view = new DataView(viewed.buffer)
/** The view that was used before `view`. Two views are cached, because callers alternate between a line in a chunk and
 *  the text that the line is compared with. */
let viewedBefore = viewed
let viewBefore = view

/** Returns a view of the same bytes. Caches the last two views, because all lines are in a few arrays. */
export function viewOf(bytes: Uint8Array): DataView {
  if (bytes === viewed) return view
  const found = bytes === viewedBefore ? viewBefore : new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  viewedBefore = viewed
  viewBefore = view
  viewed = bytes
  view = found
  return view
}

/** Returns whether `length` bytes of both views are equal. All of these bytes must be within the views. */
export function sameRange(one: DataView, at: number, other: DataView, otherAt: number, length: number): boolean {
  let i = 0
  for (; i + 4 <= length; i += 4) if (one.getInt32(at + i, true) !== other.getInt32(otherAt + i, true)) return false
  for (; i < length; i++) if (one.getUint8(at + i) !== other.getUint8(otherAt + i)) return false
  return true
}

/** Like `sameRange`, but compares eight bytes at a time as floats. Different bytes are equal floats only as 0 and -0,
 *  and JSON text has no zero bytes, so different texts are never equal. A few texts that no venue writes are NaN,
 *  which equals nothing. */
export function sameText(one: DataView, at: number, text: DataView, textAt: number, length: number): boolean {
  if (length < 8) return sameRange(one, at, text, textAt, length)
  const last = length - 8
  for (let i = 0; i < last; i += 8) {
    if (one.getFloat64(at + i, true) !== text.getFloat64(textAt + i, true)) return false
  }
  return one.getFloat64(at + last, true) === text.getFloat64(textAt + last, true)
}
