// Queues the lines of a segment until they become records. Holds the lines in memory. If there are too many, holds
// only their place in the segment's file, and reads them from the file later.

import { SEGMENT_START, type SegmentPlace, segmentText } from '../segment/segment-text.ts'

/** Consecutive whole flushes of a segment. `from` is their offset in the segment's text; `bytes` is null if they are to
 *  be read from the file. */
export type Lines = { from: number; length: number; bytes: Uint8Array | null }

export class LineQueue {
  #waiting: Lines[] = []
  /** Position up to which the file has been read. */
  readonly #place: SegmentPlace = { ...SEGMENT_START }
  #memoryBytes = 0
  #fileBytes = 0

  /** Bytes of text that wait in memory. */
  get memoryBytes(): number {
    return this.#memoryBytes
  }

  /** Bytes of text that wait in the file. */
  get fileBytes(): number {
    return this.#fileBytes
  }

  /** The lines added last; undefined if they are in the file, or if nothing waits. */
  get last(): Uint8Array | undefined {
    return this.#waiting.at(-1)?.bytes ?? undefined
  }

  add(lines: Lines): void {
    this.#waiting.push({ ...lines })
    this.#count(lines, 1)
  }

  clear(): void {
    this.#waiting = []
    this.#memoryBytes = 0
    this.#fileBytes = 0
  }

  /** Takes up to about `bytesMax` bytes of waiting lines, a flush at a time. If `settledEnd` is given, it is an offset
   *  in the last flush, and the bytes from there on stay in the queue. `pathNow` returns the segment's file, whose name
   *  changes when it closes. Throws if the file cannot be read. */
  *take(pathNow: () => string, bytesMax: number, settledEnd: number | undefined): Generator<Uint8Array> {
    let taken = 0
    while (this.#waiting.length > 0 && taken < bytesMax) {
      const lines = this.#waiting[0]!
      if (lines.bytes === null) {
        for (const text of this.#read(lines, pathNow(), bytesMax - taken)) {
          taken += text.length
          yield text
        }
        continue
      }
      const isCut = this.#waiting.length === 1 && settledEnd !== undefined && settledEnd < lines.length
      const bytes = isCut ? lines.bytes.subarray(0, settledEnd) : lines.bytes
      this.#waiting.shift()
      this.#count(lines, -1)
      if (isCut) {
        const rest = lines.bytes.subarray(settledEnd)
        this.add({ from: lines.from + settledEnd, length: rest.length, bytes: rest })
      }
      taken += bytes.length
      if (bytes.length > 0) yield bytes
      if (isCut) return
    }
  }

  /** Reads these lines from the frames of the file and removes them from the queue. */
  *#read(lines: Lines, path: string, bytesMax: number): Generator<Uint8Array> {
    let read = 0
    const end = lines.from + lines.length
    for (const text of segmentText(path, this.#place)) {
      const start = this.#place.textBytes - text.length
      if (this.#place.textBytes <= lines.from) continue
      const from = Math.max(0, lines.from - start)
      const to = Math.min(text.length, end - start)
      this.#count(lines, -1)
      lines.from = start + to
      lines.length = end - lines.from
      this.#count(lines, 1)
      if (lines.length === 0) this.#waiting.shift()
      yield text.subarray(from, to)
      read += to - from
      if (lines.length === 0 || read >= bytesMax) return
    }
    throw new Error(`${path} ends before what was flushed to it`)
  }

  #count({ length, bytes }: Lines, sign: 1 | -1): void {
    if (bytes === null) this.#fileBytes += sign * length
    else this.#memoryBytes += sign * length
  }
}
