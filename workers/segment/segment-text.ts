// Reads the text of a segment from a position on, frame by frame. Used for lines that could not wait in memory.

import { closeSync, openSync, readSync } from 'node:fs'
import { frameEnds } from '../capture/zstd-frames.ts'

/** A position between two zstd frames of a segment: byte offsets in the file and in the decompressed text. */
export type SegmentPlace = { fileBytes: number; textBytes: number }

export const SEGMENT_START: SegmentPlace = { fileBytes: 0, textBytes: 0 }

/** Yields the text of each whole frame after `place`, and moves `place` to the end of that frame. Throws the file
 *  system's errors, and an error if the file is damaged. */
export function* segmentText(path: string, place: SegmentPlace): Generator<Uint8Array> {
  const file = openSync(path, 'r')
  try {
    for (const end of frameEnds(file, place.fileBytes)) {
      const text = Bun.zstdDecompressSync(bytesAt(file, place.fileBytes, end))
      place.fileBytes = end
      place.textBytes += text.length
      yield text
    }
  } finally {
    closeSync(file)
  }
}

/** Yields the text of the whole frames, last frame first. If the file is damaged, starts with the last frame before the
 *  damage. */
export function* textFromEnd(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r')
  try {
    const ends = [0]
    try {
      for (const end of frameEnds(file, 0)) ends.push(end)
    } catch {
      // The frames before the damage are intact.
    }
    for (let i = ends.length - 1; i > 0; i--) yield Bun.zstdDecompressSync(bytesAt(file, ends[i - 1]!, ends[i]!))
  } finally {
    closeSync(file)
  }
}

function bytesAt(file: number, start: number, end: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(end - start)
  for (let done = 0; done < bytes.length; ) {
    const count = readSync(file, bytes, done, bytes.length - done, start + done)
    if (count === 0) throw new Error('the segment is shorter than it was')
    done += count
  }
  return bytes
}
