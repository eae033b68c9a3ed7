// Tests the messages of a piece, each with the position after it.

import { expect, test } from 'bun:test'
import { CHANNELS } from '../../workers/follow/follow-request.ts'
import type { Workers } from '../../workers/requests.ts'
import { askPiece, type FollowedPiece, messagesOf } from './followed-piece.ts'
import type { Place } from './stream-position.ts'

const TO = { date: '2026-08-10', record: 9, step: 0, revision: 3, earlier: 4 }
const [RECORDS, TRADES, , QUOTES] = CHANNELS.map((_, index) => index) as [number, number, number, number]

/** Returns a piece whose n-th message is `"n":n}`. */
function piece(messages: [record: number, channel: number][], changes: Partial<FollowedPiece> = {}): FollowedPiece {
  const texts = messages.map((_, n) => `"n":${n}}`)
  const ends = texts.map((_, n) => texts.slice(0, n + 1).join('').length)
  return {
    ...{ kind: 'changes', revision: 3, to: TO, isEnd: true, bytes: Buffer.from(texts.join('')) },
    channels: Uint8Array.from(messages, ([, channel]) => channel),
    records: Float64Array.from(messages, ([record]) => record),
    starts: Uint32Array.from([0, ...ends.slice(0, -1)]),
    ends: Uint32Array.from(ends),
    request: { venue: 'kalshi', market: 'A', channels: CHANNELS, from: null },
    ...changes,
  }
}

function sent(of: FollowedPiece, channels: Parameters<typeof messagesOf>[1] = CHANNELS) {
  const places: Place[] = []
  const messages = messagesOf(of, channels, (place) => `p${places.push(place)}`)
  return { messages, places }
}

test('a message names its market, channel and position, and only wanted channels are there', () => {
  const { messages } = sent(
    piece([
      [5, RECORDS],
      [5, TRADES],
      [6, QUOTES],
    ]),
    ['quotes', 'records'],
  )
  expect(messages).toEqual([
    { id: 'p1', text: '{"venue":"kalshi","market":"A","channel":"records","position":"p1","n":0}' },
    { id: 'p2', text: '{"venue":"kalshi","market":"A","channel":"quotes","position":"p2","n":2}' },
  ])
})

test('the place after a change is its record and the next channel; within one channel it stays the same', () => {
  const { places } = sent(
    piece([
      [5, RECORDS],
      [5, TRADES],
      [5, TRADES],
      [6, QUOTES],
    ]),
  )
  expect(places).toEqual([
    { ...TO, record: 5, step: RECORDS + 1 },
    { ...TO, record: 5, step: TRADES },
    { ...TO, record: 5, step: TRADES + 1 },
    { ...TO, record: 6, step: QUOTES + 1 },
  ])
})

test('the present state has one place, after its last message', () => {
  const state = [
    [5, RECORDS],
    [6, QUOTES],
    [7, QUOTES],
  ] as [number, number][]
  expect(sent(piece(state, { kind: 'begin' })).places).toEqual([null, null, TO])
  expect(sent(piece(state, { kind: 'reset' }), ['records']).places).toEqual([TO])
  expect(sent(piece(state, { to: 'nothing' })).places).toEqual(['nothing', 'nothing', 'nothing'])
})

test('a piece comes in one part or in several', async () => {
  async function* chunks() {
    yield new Uint8Array([1])
    yield new Uint8Array([2, 3])
  }
  const request = piece([]).request
  const requests: unknown[] = []
  const ask = (data: unknown) => {
    const answer = async (_: unknown, given: unknown) => {
      requests.push(given)
      return { kind: 'begin', data }
    }
    return askPiece({ ask: answer } as unknown as Pick<Workers, 'ask'>, request)
  }
  expect(await ask({ bytes: new Uint8Array([9, 1, 2]).subarray(1) })).toMatchObject({
    ...{ kind: 'begin', request, bytes: Buffer.from([1, 2]) },
  })
  expect((await ask({ chunks: chunks() })).bytes).toEqual(Buffer.from([1, 2, 3]))
  expect(requests).toEqual([request, request])
})
