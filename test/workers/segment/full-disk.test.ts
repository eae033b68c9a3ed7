// Fills the disk of a segment: acknowledged frames are on it, the others wait, and writing resumes by itself.

import { describe, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { canMount, onSmallDisk } from '../../support/disk/small-disk.ts'

const SCRIPT = `
  import { randomBytes } from 'node:crypto'
  import { readFileSync, rmSync, writeFileSync } from 'node:fs'
  const { SegmentWriter } = await import('${resolve('workers/segment/segment-writer.ts')}')
  const { findSegment, newFolder } = await import('${resolve('workers/segment/segment-folder.ts')}')
  const folder = process.argv[1]
  const header = { venue: 'kalshi', recorder: 'r', connection: 'c', url: '', useYesPrice: null, version: '1', clock: 'machine' }
  const segment = new SegmentWriter(folder, header, () => 1786526100000000000n)
  writeFileSync(folder + '/ballast', randomBytes(1 << 20))
  const acknowledged = []
  let code = ''
  let number = 0n
  while (code === '') {
    segment.frame(randomBytes(100_000).toString('hex'), ++number, 0n)
    try {
      acknowledged.push(segment.flush())
    } catch (error) {
      code = error.code
    }
  }
  const whenFull = Bun.zstdDecompressSync(readFileSync(findSegment(newFolder(folder), segment.name)))
  const isExact = Buffer.concat(acknowledged).equals(whenFull)
  let again = ''
  try { segment.flush() } catch (error) { again = error.code }
  const waiting = segment.pendingLength
  rmSync(folder + '/ballast')
  acknowledged.push(segment.flush(), segment.close())
  const all = Bun.zstdDecompressSync(readFileSync(findSegment(newFolder(folder), segment.name)))
  const frames = all.toString().split('\\n').filter((line) => line.startsWith('{"recv_ns"')).map((line) => JSON.parse(line).recv_ns)
  console.log(JSON.stringify({ code, again, isExact, waits: waiting > 200_000, isWhole: Buffer.concat(acknowledged).equals(all),
    frames: frames.join() === Array.from({ length: Number(number) }, (_, i) => i + 1).join() }))
`

describe('SegmentWriter', () => {
  test.skipIf(!canMount)('loses nothing on a disk that is full for a while', async () => {
    const { out, err } = await onSmallDisk(4, SCRIPT)
    expect(err).toBe('')
    expect(JSON.parse(out)).toEqual({
      ...{ code: 'disk_full', again: 'disk_full', isExact: true, waits: true, isWhole: true, frames: true },
    })
  })
})
