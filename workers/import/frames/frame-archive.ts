// Facts that archives of the venues' own messages share. Nothing is rebuilt, and the loader leaves out the markets
// that are not chosen. A file is one part: only within a part can messages that overlap in time be put in order.

import { collectGarbage, LOADING } from '../../collect-garbage.ts'
import type { RowReader } from '../../load/capture-reading.ts'
import type { ArchiveFacts, ArchiveFormat } from '../archive.ts'
import type { ByteFile } from '../byte-file.ts'
import { textLines } from '../text/text-lines.ts'

const FACTS = { clock: 'frame', order: 'file', hashStored: true, isRebuilt: false, licence: null } as const

type FormatFacts = Pick<ArchiveFormat, 'name' | 'description'> & Pick<ArchiveFacts, 'source' | 'attribution'>

/** Sends the messages of a file to `lines`. Returns the number of rows. */
type ReadFrames = (file: ByteFile, lines: RowReader, onProgress: (fileBytes: number) => void) => Promise<number>

export const frameArchive = (facts: FormatFacts, readFrames: ReadFrames): ArchiveFormat => ({
  ...FACTS,
  ...facts,
  async *open(file) {
    yield {
      next: null,
      read: async (lines, onProgress) => ({ rows: await readFrames(file, lines, onProgress) }),
    }
  },
})

/** Returns a function that sends each line of a file to `lines`, converted by `lineOf`. */
export const linesOf =
  (lineOf: (line: Uint8Array) => Uint8Array): ReadFrames =>
  async (file, lines, onProgress) => {
    let rows = 0
    for await (const batch of textLines(file)) {
      for (let i = 0; i < batch.length; i++) {
        const line = lineOf(batch.line(i))
        lines.line(line, 0, line.length, batch.numbers[i]!)
      }
      rows += batch.length
      onProgress(batch.fileBytes)
      collectGarbage(LOADING)
    }
    return rows
  }
