// What archives of the venues' own messages have in common: nothing of them is rebuilt, and a file is one part, since a
// cut within it would change the order of what overlaps.

import type { RowReader } from '../../load/capture-reading.ts'
import type { ArchiveFacts, ArchiveFormat } from '../archive.ts'
import type { ByteFile } from '../byte-file.ts'
import { FrameLines } from './frame-lines.ts'

const FACTS = { clock: 'frame', order: 'file', hashKept: true, isRebuilt: false, licence: null } as const

type Told = Pick<ArchiveFormat, 'name' | 'description'> & Pick<ArchiveFacts, 'source' | 'attribution'>

/** Tells the messages of a file. `rejects` takes what is no message before it comes to the loader. */
type ReadFrames = (
  file: ByteFile,
  frames: FrameLines,
  rejects: Pick<RowReader, 'reject'>,
  onProgress: (fileBytes: number) => void,
) => Promise<void>

export const frameArchive = (told: Told, readFrames: ReadFrames): ArchiveFormat => ({
  ...FACTS,
  ...told,
  async *open(file, options) {
    yield {
      next: null,
      read: async (lines, onProgress) => {
        const frames = new FrameLines(lines, options)
        await readFrames(file, frames, lines, onProgress)
        const { rows, others } = frames
        return { rows, skipped: others > 0 ? { 'messages of other markets': others } : {} }
      },
    }
  },
})
