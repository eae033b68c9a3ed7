// Tests frames as Kalshi sends them, and invalid ones.

import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { capture, hasCaptures } from '../../../../test/support/captures.ts'
import { type KalshiMessage, messagesIn, SequenceTracker } from './frame.ts'

const withoutMsg = (messages: KalshiMessage[] | undefined) => messages?.map(({ msg: _, ...rest }) => rest)

describe('messagesIn', () => {
  test('reads the envelope, the market and the time, and ignores a newline at the end', () => {
    const text = '{"type":"orderbook_delta","sid":1,"seq":9,"msg":{"market_ticker":"A-1","ts_ms":1786410915566}}\n'
    expect(withoutMsg(messagesIn(text))).toEqual([
      { type: 'orderbook_delta', id: undefined, sid: 1, seq: 9, market: 'A-1', venueMs: 1786410915566 },
    ])
  })

  test('reads the sid of a confirmation from its msg', () => {
    const text = '{"type":"subscribed","id":1,"msg":{"channel":"orderbook_delta","sid":7}}'
    expect(withoutMsg(messagesIn(text))).toEqual([
      { type: 'subscribed', id: 1, sid: 7, seq: undefined, market: undefined, venueMs: undefined },
    ])
  })

  test('reads an array as several messages', () => {
    expect(messagesIn('[{"type":"ok"},{"type":"trade"}]')?.map(({ type }) => type)).toEqual(['ok', 'trade'])
  })

  test.each(['', '\n', 'PONG', '{"type":', '{"a":1}}'])('%j is no JSON', (text) => {
    expect(messagesIn(text)).toBeUndefined()
  })

  test.each(['null', '3', '"a"', '{}', '{"type":5,"sid":"1","seq":1.5,"msg":[]}', '{"seq":-1,"msg":null}'])(
    '%s has no readable message',
    (text) => {
      const nothing = { id: undefined, sid: undefined, seq: undefined, market: undefined, venueMs: undefined }
      expect(withoutMsg(messagesIn(text))).toEqual([{ type: '', ...nothing }])
    },
  )

  test.skipIf(!hasCaptures)('reads every frame of a real connection', () => {
    const lines = readFileSync(capture('archives/kalshi-frames/2026-04-18.jsonl'), 'utf8').trim().split('\n')
    const frames = lines.map((line) => (JSON.parse(line) as { raw: string }).raw)
    expect(frames.every((frame) => frame.endsWith('}\n'))).toBe(true)
    const types = frames.map((frame) => messagesIn(frame)![0]!.type)
    expect(
      Object.fromEntries([...Map.groupBy(types, (type) => type)].map(([type, all]) => [type, all.length])),
    ).toEqual({ subscribed: 2, orderbook_snapshot: 8, orderbook_delta: 61, error: 3 })
  })
})

describe('SequenceTracker', () => {
  test('numbers go from 1 on, each sid by itself', () => {
    const tracker = new SequenceTracker()
    expect([tracker.accept(1, 1), tracker.accept(2, 1), tracker.accept(1, 2), tracker.accept(2, 2)]).toEqual(
      Array(4).fill('next'),
    )
  })

  test('a hole is reported once, with the expected number', () => {
    const tracker = new SequenceTracker()
    tracker.accept(1, 1)
    expect(tracker.accept(1, 5)).toEqual({ expected: 2, got: 5 })
    expect(tracker.accept(1, 6)).toBe('next')
  })

  test('a subscription that does not begin at 1 begins with a hole', () => {
    expect(new SequenceTracker().accept(3, 4)).toEqual({ expected: 1, got: 4 })
  })

  test('a number at or before the last one is a duplicate, and changes nothing', () => {
    const tracker = new SequenceTracker()
    for (const seq of [1, 2, 3]) tracker.accept(1, seq)
    expect([tracker.accept(1, 3), tracker.accept(1, 1), tracker.accept(1, 4)]).toEqual([
      'duplicate',
      'duplicate',
      'next',
    ])
  })

  test('a sid that is reused after its subscription ended starts over', () => {
    const tracker = new SequenceTracker()
    for (const seq of [1, 2, 3]) tracker.accept(1, seq)
    tracker.forget(1)
    expect([tracker.accept(1, 1), tracker.accept(1, 2)]).toEqual(['next', 'next'])
  })

  test('any stream with lost and repeated messages: every missing number is in exactly one hole', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('send', 'lose', 'repeat')), (steps) => {
        const tracker = new SequenceTracker()
        const lost: number[] = []
        const reported: number[] = []
        let seq = 0
        let last = 0
        for (const step of steps) {
          if (step === 'repeat') {
            if (last > 0) expect(tracker.accept(1, last)).toBe('duplicate')
            continue
          }
          seq++
          if (step === 'lose') {
            lost.push(seq)
            continue
          }
          last = seq
          const verdict = tracker.accept(1, seq)
          if (typeof verdict === 'object') {
            for (let missing = verdict.expected; missing < verdict.got; missing++) reported.push(missing)
          } else {
            expect(verdict).toBe('next')
          }
        }
        // A loss at the very end is found only when another message follows.
        expect(reported).toEqual(lost.filter((missing) => missing < last))
      }),
    )
  })
})
