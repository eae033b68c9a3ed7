// Tests the subscribers of one query: each gets every message, and one that reads too slowly is ended with its
// position.

import { expect, test } from 'bun:test'
import type { Socket } from '../http/sockets/socket.ts'
import type { FollowedPiece } from './followed-piece.ts'
import type { MarketFollower } from './market-follower.ts'
import { StreamGroup } from './stream-group.ts'
import { type Place, StreamPositions } from './stream-position.ts'

const place = (record: number) => ({ date: '2026-08-10', record, step: 0, revision: 1, earlier: 0 })
const markets = ['A', 'B'].map((market) => ({ venue: 'kalshi', market }) as const)
const positions = new StreamPositions(new Uint8Array(32), { markets, event: null, channels: ['records'] })

function made() {
  const counts = { sent: 0, slow: 0 }
  const followers = markets.map((of, n) => ({ of, place: place(n) }) as unknown as MarketFollower)
  const group = new StreamGroup({
    ...{ channels: ['records'], followers, positions, waitingBytesMax: 100 },
    onSent(messages) {
      counts.sent += messages
    },
    onSlow: () => void counts.slow++,
  })
  const piece = (index: number, record: number) => {
    const { market } = markets[index]!
    group.piece(followers[index]!, {
      ...{ kind: 'changes', to: place(record + 1), request: { venue: 'kalshi', market }, bytes: Buffer.from('"n":1}') },
      ...{ channels: [0], records: [record], starts: [0], ends: [6] },
    } as unknown as FollowedPiece)
  }
  return { group, counts, piece }
}

function socket(waiting = 0) {
  const calls: unknown[] = []
  const made = {
    send: (text: string, id: string) => calls.push([JSON.parse(text), positions.open(id)]),
    close: (code: number, reason: string) => calls.push(['closed', code, reason]),
    fail: (error: Error) => calls.push(['failed', error.message]),
    waitingBytes: () => waiting,
    cork: (send: () => void) => send(),
  }
  return { made: made as unknown as Socket, calls }
}
const openedOf = (calls: unknown[]) => calls.map((each) => (each as [unknown, Place[]])[1])

test('each message has the position of all markets', () => {
  const { group, counts, piece } = made()
  const [one, other] = [socket(), socket()]
  group.join(one.made)
  group.join(other.made)
  piece(1, 7)
  piece(0, 5)
  const behind = (record: number) => ({ ...place(record), step: 1 })
  expect(openedOf(one.calls)).toEqual([
    [place(0), behind(7)],
    [behind(5), place(8)],
  ])
  expect([other.calls, counts, group.size]).toEqual([one.calls, { sent: 2, slow: 0 }, 2])
  group.leave(one.made)
  piece(0, 6)
  expect([one.calls.length, other.calls.length]).toEqual([2, 3])
})

test('without subscribers nothing is encoded, and the first one begins at the places of that time', () => {
  const { group, counts, piece } = made()
  piece(0, 5)
  const { made: late, calls } = socket()
  group.join(late)
  piece(1, 7)
  expect([counts.sent, openedOf(calls)]).toEqual([1, [[place(0), { ...place(7), step: 1 }]]])
})

test('a client that reads too slowly is sent its position and closed, and the others continue', () => {
  const { group, counts, piece } = made()
  const [slow, good] = [socket(101), socket(100)]
  group.join(slow.made)
  group.join(good.made)
  piece(0, 5)
  expect(slow.calls).toEqual([
    [
      expect.objectContaining({ type: 'slow', detail: expect.stringContaining('reads too slowly') }),
      [place(0), place(1)],
    ],
    ['closed', 1013, 'too slow'],
  ])
  expect([good.calls.length, counts, group.size]).toEqual([1, { sent: 1, slow: 1 }, 1])
})

test('a failure is logged once, and ends all', () => {
  const { group } = made()
  const sockets = [socket(), socket()]
  for (const each of sockets) group.join(each.made)
  group.fail(new Error('lost'))
  expect(sockets.map(({ calls }) => calls)).toEqual([[['failed', 'lost']], [['closed', 1011, 'the server failed']]])
})
