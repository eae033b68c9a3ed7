// Parses server-sent events, wherever their text is cut.

import { expect, test } from 'bun:test'
import { EventLines } from './event-lines.ts'

const TEXT = ': connected\n\nid: a1\ndata: {"type":"begin"}\n\n: here\n\nid: b2\ndata: {"text":"a: b"}\ndata: more\n\n'
const EVENTS = [
  { id: 'a1', data: '{"type":"begin"}' },
  { id: 'b2', data: '{"text":"a: b"}\nmore' },
]

test('returns whole events wherever their text is cut', () => {
  for (let first = 0; first <= TEXT.length; first++) {
    for (const second of [first, Math.min(TEXT.length, first + 7)]) {
      const lines = new EventLines()
      const parts = [TEXT.slice(0, first), TEXT.slice(first, second), TEXT.slice(second)]
      expect(parts.flatMap((part) => lines.push(part))).toEqual(EVENTS)
    }
  }
})

test('holds back an event that is not complete yet', () => {
  const lines = new EventLines()
  expect(lines.push('id: a\ndata: 1')).toEqual([])
  expect(lines.push('2\n')).toEqual([])
  expect(lines.push('\n')).toEqual([{ id: 'a', data: '12' }])
})
