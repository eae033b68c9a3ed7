// A record is printed with the envelope of its venue and the message as the venue sent it.

import { expect, test } from 'bun:test'
import type { JsonObject } from '../../test/model/json.ts'
import { CONDITION, kalshiDelta, NOON, priceChange, received, TICKER } from '../../test/model/lines.ts'
import { decodedBlock } from '../../test/support/books/made-block.ts'
import { ByteWriter } from '../bytes/byte-writer.ts'
import { RecordWriter } from './record-writer.ts'

function printed(venue: 'kalshi' | 'polymarket', market: string, ...lines: JsonObject[]): string[] {
  const block = decodedBlock(...lines)
  const [records, writer] = [new RecordWriter(venue, market, block), new ByteWriter(1)]
  return Array.from({ length: block.recordCount }, (_, record) => {
    records.write(writer, record)
    return Buffer.from(writer.take()).toString()
  })
}

test('Kalshi: ticker, sid and seq, null if absent', () => {
  const [first, second] = [kalshiDelta(0, '0.50', '1'), { ...kalshiDelta(1, '0.5', '1'), sid: 3, seq: 9 }]
  const { sid: _, seq: __, ...bare } = first as JsonObject
  const text = (ms: number, receivedAt: number | null, sid: number | null, seq: number | null, msg: unknown) =>
    `{"type":"delta","timestamp":${NOON + ms},"received_at":${receivedAt},"ticker":"${TICKER}","sid":${sid},"seq":${seq},"msg":${JSON.stringify(msg)}}`
  expect(printed('kalshi', TICKER, received(5, bare), received(7, second))).toEqual([
    text(0, NOON + 5, null, null, first.msg),
    text(1, NOON + 7, 3, 9, second.msg),
  ])
  expect(printed('kalshi', TICKER, bare)).toEqual([text(0, null, null, null, first.msg)])
})

test('Polymarket: the id of the book, null for the whole market', () => {
  const gap = {
    type: 'gap',
    venue: 'polymarket',
    market: CONDITION,
    msg: { reason: 'lag', from: NOON + 5, to: NOON + 5 },
  }
  const change = priceChange(0, { price: '0.4', size: '1' })
  const [one, other] = printed('polymarket', CONDITION, change, received(5, gap))
  expect(one).toBe(
    `{"type":"delta","timestamp":${NOON},"received_at":null,"asset_id":"A","msg":${JSON.stringify(change)}}`,
  )
  expect(JSON.parse(other!)).toEqual({
    type: 'gap',
    timestamp: NOON + 5,
    received_at: NOON + 5,
    asset_id: null,
    msg: gap.msg,
  })
})

test('an archive is named', () => {
  const block = decodedBlock(kalshiDelta(0, '0.5', '1'))
  const shapes = block.shapes.map((shape) => ({ ...shape, shape: { ...shape.shape, source: 'pmxt' } }))
  const writer = new ByteWriter(1)
  new RecordWriter('kalshi', TICKER, { ...block, shapes }).write(writer, 0)
  expect(JSON.parse(Buffer.from(writer.take()).toString())).toMatchObject({ source: 'pmxt', seq: 7 })
})
