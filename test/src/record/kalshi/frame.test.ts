// Frames as Kalshi sends them, and as it does not.

import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { type KalshiMessage, messagesIn } from '../../../../src/record/kalshi/frame.ts'
import { capture, hasCaptures } from '../../../support/captures.ts'

const withoutMsg = (messages: KalshiMessage[] | undefined) => messages?.map(({ msg: _, ...rest }) => rest)

describe('messagesIn', () => {
  test('reads the envelope, the market and the time, and lets a newline at the end be', () => {
    const text = '{"type":"orderbook_delta","sid":1,"seq":9,"msg":{"market_ticker":"A-1","ts_ms":1786410915566}}\n'
    expect(withoutMsg(messagesIn(text))).toEqual([
      { type: 'orderbook_delta', id: undefined, sid: 1, seq: 9, market: 'A-1', venueMs: 1786410915566 },
    ])
  })

  test('takes the sid of a confirmation from where it stands', () => {
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
    '%s has nothing that could be read',
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
