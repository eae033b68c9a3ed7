// Tests what a recorder writes around a message: its clock in every unit, the body, and the text around them.

import { expect, test } from 'bun:test'
import { jsonTree } from './json-tree.ts'
import {
  envelopeOf,
  frameOf,
  receivedMsOf,
  wholeAt,
  wholeClockEnd,
  wholeClockMs,
  wholeNumberEnd,
} from './line-frame.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const MS = Date.parse('2026-08-10T12:00:00.123Z')

test.each<[string, number]>([
  [String(MS), MS],
  [String(MS / 1_000), MS],
  [`${MS}999`, MS],
  [`${MS}999999`, MS],
  [`${MS}999999.5`, MS],
  [`000${MS}`, MS],
  ['1.786363200123e12', MS],
  ['1.786363200123e18', MS],
  ['2026-08-10T12:00:00.123Z', MS],
  [String(Date.UTC(1999, 11, 31)), Number.NaN],
  [String(Date.UTC(2100, 0, 1)), Number.NaN],
  ['noon', Number.NaN],
  ['', Number.NaN],
])('the clock %s', (text, expected) => expect(receivedMsOf(bytesOf(`<${text}>`), 1, 1 + text.length)).toBe(expected))

test('a clock of 13, 16 or 19 digits that ends a value', () => {
  const end = (text: string) => wholeClockEnd(bytesOf(text), 0, text.length)
  expect([`${MS},`, `${MS}}`, `${MS}000"`, `${MS}000000,`].map(end)).toEqual([13, 13, 16, 19])
  expect([`${MS}`, `${MS}.`, `${MS}0,`, 'x,'].map(end)).toEqual([-1, -1, -1, -1])
  expect([wholeClockMs(bytesOf(`${MS}000`), 0), wholeClockMs(bytesOf('9'.repeat(13)), 0)]).toEqual([MS, Number.NaN])
})

test('whole numbers', () => {
  const at = (text: string) => wholeAt(bytesOf(text), 0, text.length)
  expect(['0', '17', '9007199254740991', '9007199254740992', '', '-1', '1.5'].map(at)).toEqual([
    0, 17, 9_007_199_254_740_991, -1, -1, -1, -1,
  ])
  expect(['17x', '0', '01', 'x'].map((text) => wholeNumberEnd(bytesOf(text), 0, text.length))).toEqual([2, 1, -1, -1])
})

function framed(text: string) {
  const root = jsonTree(bytesOf(text))
  const envelope = envelopeOf(bytesOf(text), root)
  if (envelope === undefined) return undefined
  const { parts, hasReceivedMs } = frameOf(bytesOf(text), root, envelope)
  return [
    hasReceivedMs,
    ...parts.map((part) => (part.type === 'literal' ? Buffer.from(part.bytes).toString() : part.type)),
  ]
}

test('the parts of an envelope, in the order of the line', () => {
  expect(framed('{"recv_ms":17,"msg":{"type":"x"}}')).toEqual([true, '{"recv_ms":', 'received', ',"msg":', 'body', '}'])
  expect(framed('{"raw":"{}","n":5,"ts_recv":"17"}')).toEqual([
    true,
    '{"raw":"',
    'text',
    '","n":',
    'number',
    ',"ts_recv":"',
    'received',
    '"}',
  ])
  expect(framed('{"data":[],"recv_ms":null}')).toEqual([false, '{"data":', 'body', ',"recv_ms":null}'])
})

test('an envelope may name a market beside a message that names its type', () => {
  const bodies = ['{"event_type":"book"}', '[{"event_type":"book"}]', '"{\\"event_type\\":\\"book\\"}"']
  const hasEnvelope = (body: string, more = '') =>
    framed(`{"recv_ms":17,"market":"0x1"${more},"data":${body}}`) !== undefined
  expect(bodies.map((body) => hasEnvelope(body))).toEqual([true, true, true])
  expect(bodies.map((body) => hasEnvelope(body, ',"event_type":"x"'))).toEqual([false, false, false])
  expect(['{"price":"1"}', '[]', '"text"', '5', 'null'].map((body) => hasEnvelope(body))).not.toContain(true)
})

test('a message is not an envelope, but the answer of a REST call is', () => {
  expect([framed('{"type":"trade","msg":{}}'), framed('{"x":1}'), framed('[1]')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  const rest = '{"recv_ns":17,"source":"rest","ticker":"KX","raw":"{}"}'
  const { ticker, body } = envelopeOf(bytesOf(rest), jsonTree(bytesOf(rest)))!
  expect([rest.slice(ticker!.start, ticker!.end), rest.slice(body.start, body.end)]).toEqual(['"KX"', '"{}"'])
})
