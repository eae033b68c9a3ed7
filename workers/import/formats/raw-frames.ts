// Frames of the venues as somebody else heard them, a line each, in any envelope that `ingest` takes: with a time of
// receipt, as JSON or as a text that holds it. Nothing is rebuilt.

import { collectGarbage } from '../../collect-garbage.ts'
import { LOADING } from '../../load/record-router.ts'
import type { ArchiveFormat, ArchiveOptions, ArchivePart } from '../archive.ts'
import type { ByteFile } from '../byte-file.ts'
import { FrameLines } from '../frames/frame-lines.ts'
import { textLines } from '../text/text-lines.ts'

export const rawFrames: ArchiveFormat = {
  name: 'raw-frames',
  description: 'frames of either venue with times of receipt, as polydata5 and others publish them (JSON lines)',
  source: 'raw-frames',
  clock: 'frame',
  order: 'file',
  hashKept: true,
  isRebuilt: false,
  licence: null,
  attribution: null,
  async *open(file, options) {
    yield partOf(file, options)
  },
}

const partOf = (file: ByteFile, options: ArchiveOptions): ArchivePart => ({
  next: null,
  read: async (lines, onProgress) => {
    const frames = new FrameLines(lines, options)
    for await (const batch of textLines(file)) {
      for (let i = 0; i < batch.length; i++) {
        await frames.line(batch.bytes[i]!, batch.starts[i]!, batch.ends[i]!, batch.numbers[i]!)
      }
      onProgress(batch.fileBytes)
      collectGarbage(LOADING)
    }
    return { rows: frames.rows, leftOut: frames.leftOut }
  },
})
