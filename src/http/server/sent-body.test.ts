// Tests the record of a sent body: its length, and the first way in which it ended.

import { expect, test } from 'bun:test'
import { arePiecesCopied, copyPieces, followBody, followWhole, SentBody, sentBodyOf } from './sent-body.ts'

test('only the first end counts, and each listener is called once', () => {
  const body = new SentBody()
  const ends: unknown[] = []
  body.whenDone(({ end, bytes }) => ends.push(['early', end, bytes]))
  body.bytes = 5
  expect([body.end, ends]).toEqual([null, []])
  body.done('left')
  body.done('whole')
  body.whenDone(({ end }) => ends.push(['late', end]))
  expect([body.end, ends]).toEqual([
    'left',
    [
      ['early', 'left', 5],
      ['late', 'left'],
    ],
  ])
})

test('a body is known by its request', () => {
  const [streamed, whole, small] = Array.from({ length: 3 }, () => new Request('http://localhost/')) as [
    ...[Request, Request, Request],
  ]
  const followed = followBody(streamed)
  followWhole(whole, 9)
  expect(sentBodyOf(streamed)).toBe(followed)
  expect(sentBodyOf(whole)).toMatchObject({ bytes: 9, end: 'whole' })
  expect(sentBodyOf(small)).toBeUndefined()
  copyPieces(streamed)
  expect([arePiecesCopied(streamed), arePiecesCopied(whole)]).toEqual([true, false])
})
