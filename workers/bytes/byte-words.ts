// Comparing bytes four at a time: nearly all of a line is text that is known beforehand.

let viewed: Uint8Array = new Uint8Array(0)
let view = new DataView(viewed.buffer)

/** A view of the same bytes, kept until other bytes are asked for: lines lie in few arrays. */
export function viewOf(bytes: Uint8Array): DataView {
  if (bytes === viewed) return view
  viewed = bytes
  view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return view
}

/** Whether `length` bytes of both are the same. All of them must exist. */
export function sameRange(one: DataView, at: number, other: DataView, otherAt: number, length: number): boolean {
  let i = 0
  for (; i + 4 <= length; i += 4) if (one.getInt32(at + i) !== other.getInt32(otherAt + i)) return false
  for (; i < length; i++) if (one.getUint8(at + i) !== other.getUint8(otherAt + i)) return false
  return true
}
