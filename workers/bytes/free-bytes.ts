// Frees large unused bytes at once. The garbage collector considers the number of objects before their size, so it
// frees large bytes late. One collection takes as long as computing a day of buckets.

/** Shorter bytes are not worth freeing. Shared constants, such as the end of an Arrow stream, are shorter too. */
const FREED_MIN = 16 * 1_024

/** Frees the bytes, which must not be read afterwards. Leaves a view of a larger buffer to the collector. */
export function freeBytes({ buffer, byteLength }: ArrayBufferView): void {
  if (byteLength < FREED_MIN || byteLength !== buffer.byteLength) return
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
