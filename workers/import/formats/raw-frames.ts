// Reads frames of the venues that somebody else recorded, one per line, in any envelope that `ingest` accepts. An
// envelope has a receipt time, and the message as JSON or as a text that holds JSON. Nothing is rebuilt.

import { collectGarbage, LOADING } from '../../collect-garbage.ts'
import { frameArchive } from '../frames/frame-archive.ts'
import { textLines } from '../text/text-lines.ts'

export const rawFrames = frameArchive(
  {
    name: 'raw-frames',
    description: 'frames of either venue with times of receipt, as polydata5 and others publish them (JSON lines)',
    source: 'raw-frames',
    attribution: null,
  },
  async (file, frames, _, onProgress) => {
    for await (const batch of textLines(file)) {
      for (let i = 0; i < batch.length; i++) {
        frames.line(batch.bytes[i]!, batch.starts[i]!, batch.ends[i]!, batch.numbers[i]!)
      }
      onProgress(batch.fileBytes)
      collectGarbage(LOADING)
    }
  },
)
