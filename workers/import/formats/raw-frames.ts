// Reads frames of the venues that somebody else recorded, one per line, in any envelope that `ingest` accepts. An
// envelope has a receipt time, and the message as JSON or as a text that holds JSON. Nothing is rebuilt.

import { frameArchive, linesOf } from '../frames/frame-archive.ts'

export const rawFrames = frameArchive(
  {
    name: 'raw-frames',
    description: 'frames of either venue with times of receipt, as polydata5 and others publish them (JSON lines)',
    source: 'raw-frames',
    attribution: null,
  },
  linesOf((line) => line),
)
