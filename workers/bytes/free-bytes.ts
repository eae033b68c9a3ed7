// Large bytes that nobody reads any more, given back at once: the collector looks at how many objects there are before
// it looks at their size, and takes as long for one round as a day of buckets does.

/** Short ones are not worth it; and what is shared, such as the end of each body, is short. */
const FREED_MIN = 16 * 1_024

/** Nobody may read them afterwards. What is a view of a larger buffer is left to the collector. */
export function freeBytes({ buffer, byteLength }: ArrayBufferView): void {
  if (byteLength < FREED_MIN || byteLength !== buffer.byteLength) return
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
