// A segment that its recorder did not close is complete; a file that is not zstd is not.

import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../test/support/server.ts'
import { segmentFault } from './segment-fault.ts'

const frame = Bun.zstdCompressSync(Buffer.from('one line\n'))

test.each<[string, Uint8Array, string | null]>([
  ['whole frames', Buffer.concat([frame, frame]), null],
  ['a frame that is cut', Buffer.concat([frame, frame.subarray(0, 7)]), null],
  ['text', Buffer.from('no zstd at all'), 'no zstd data in the frame that begins at byte 0'],
  [
    'text behind a frame',
    Buffer.concat([frame, Buffer.from('text')]),
    `no zstd data in the frame that begins at byte ${frame.length}`,
  ],
])('%s', (_, bytes, damage) => {
  using folder = temporaryFolder()
  const path = join(folder.path, 's.zst')
  writeFileSync(path, bytes)
  expect(segmentFault(path)).toBe(damage && `Cannot read the rest of ${path}: ${damage}`)
})
