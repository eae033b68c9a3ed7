// Tests the lines of a segment as they are printed.

import { expect, test } from 'bun:test'
import { controlLine, frameLine, gapLine, restLine } from './segment-lines.ts'

test('frames and bodies as texts, with their times', () => {
  expect(frameLine('{"a":"é"}', 17n, 18n)).toBe('{"recv_ns":17,"mono_ns":18,"raw":"{\\"a\\":\\"é\\"}"}\n')
  expect(frameLine('x', null, 18n)).toBe('{"recv_ns":null,"mono_ns":18,"raw":"x"}\n')
  expect(restLine('{}', 17n)).toBe('{"recv_ns":17,"source":"rest","raw":"{}"}\n')
  expect(restLine('{}', null, 'KX-1')).toBe('{"recv_ns":null,"source":"rest","ticker":"KX-1","raw":"{}"}\n')
})

test('gaps of a book, or of the whole market', () => {
  const msg = { reason: 'silence', from: 1, to: 2, connection: 'c', scope: 'book', closed_by: 'snapshot' } as const
  const text = JSON.stringify(msg)
  expect(gapLine({ venue: 'kalshi', market: 'KX', msg })).toBe(
    `{"type":"gap","venue":"kalshi","market":"KX","msg":${text}}\n`,
  )
  expect(gapLine({ venue: 'polymarket', market: '0x', assetId: '1', msg })).toBe(
    `{"type":"gap","venue":"polymarket","market":"0x","asset_id":"1","msg":${text}}\n`,
  )
})

test('control lines: a nanosecond is a number, and undefined values are left out', () =>
  expect(controlLine('state', 17n, { at: 2n ** 62n, gone: undefined, none: null, 'a"b': ['x'] })).toBe(
    '{"backbook":"state","at_ns":17,"at":4611686018427387904,"none":null,"a\\"b":["x"]}\n',
  ))
