// Gaps that no open socket could record reach the disk, even if the disk refuses them at first.

import { expect, test } from 'bun:test'
import type { GapLine } from '../../../workers/segment/segment-lines.ts'
import type { Segment } from '../segments/segment-files.ts'
import { EndedSessions } from './ended-sessions.ts'

const gapAt = (from: number): GapLine => ({
  venue: 'kalshi',
  market: 'KXEND-1',
  msg: { reason: 'disconnect', from, to: from + 5, connection: 'k-1', scope: 'connection', closed_by: 'end' },
})

test('gaps that the disk refuses wait for it', () => {
  let isFull = true
  let opened = 0
  const written: number[][] = []
  const open = () => {
    opened++
    const gaps: number[] = []
    const close = () => {
      if (isFull) throw new Error('the disk is full')
      written.push(gaps)
    }
    return { gap: ({ msg }: GapLine) => gaps.push(msg.from), close } as unknown as Segment
  }
  const ended = new EndedSessions(open)
  expect(ended.flush()).toEqual([])
  ended.gap(gapAt(1))
  expect(ended.flush().map(String)).toEqual(['Error: the disk is full'])
  ended.gap(gapAt(2))
  expect(ended.flush()).toHaveLength(1)
  isFull = false
  expect([ended.flush(), ended.flush(), ended.flush()]).toEqual([[], [], []])
  expect([written, opened]).toEqual([[[1, 2]], 1])
})
