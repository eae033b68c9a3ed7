// Facts that archives of the venues' own messages share. Nothing is rebuilt. A file is one part, because cutting it
// would change the order of overlapping messages.

import type { RowReader } from '../../load/capture-reading.ts'
import type { ArchiveFacts, ArchiveFormat } from '../archive.ts'
import type { ByteFile } from '../byte-file.ts'
import { FrameLines } from './frame-lines.ts'

const FACTS = { clock: 'frame', order: 'file', hashStored: true, isRebuilt: false, licence: null } as const

type FormatFacts = Pick<ArchiveFormat, 'name' | 'description'> & Pick<ArchiveFacts, 'source' | 'attribution'>

/** Sends the messages of a file. `rejects` receives what is rejected before it reaches the loader, because it is not a
 *  message. */
type ReadFrames = (
  file: ByteFile,
  frames: FrameLines,
  rejects: Pick<RowReader, 'reject'>,
  onProgress: (fileBytes: number) => void,
) => Promise<void>

export const frameArchive = (facts: FormatFacts, readFrames: ReadFrames): ArchiveFormat => ({
  ...FACTS,
  ...facts,
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
