// Goal: spans, switches and recorders of a day are read from its head.

import { expect, test } from 'bun:test'
import {
  type BlockEntry,
  type BookTimes,
  hasSwitch,
  isOfTwo,
  isRecorded,
  spanEndMs,
  spanStartOf,
  startMsOf,
} from './partition-head.ts'

const block = (firstRecord: number, more: Partial<BlockEntry> = {}) =>
  ({ firstRecord, firstMs: 100 * firstRecord, ...more }) as BlockEntry
const switched = { blocks: [block(0), block(4, { begins: 390 }), block(8), block(9, { begins: 880 })] }

test('a span ends where the next one begins', () => {
  const spans: [string | null, number][] = [
    [null, 0],
    ['ag', 500],
  ]
  expect([spanEndMs(spans, 0), spanEndMs(spans, 1)]).toEqual([500, Number.POSITIVE_INFINITY])
})

test('a block defines the books from its switch or its first record on', () => {
  expect(switched.blocks.map(startMsOf)).toEqual([0, 390, 800, 880])
})

test('the span of a block begins at the last switch up to it', () => {
  expect([0, 1, 2, 3].map((index) => spanStartOf(switched, index))).toEqual([0, 4, 4, 9])
  expect([hasSwitch(switched), hasSwitch({ blocks: [block(0)] })]).toEqual([true, false])
})

test('counts recorders by their names; a standalone capture has none', () => {
  const times = (recorder?: string) => ({ ...(recorder && { recorder }), book: null }) as BookTimes
  expect([isOfTwo(), isOfTwo([times('a'), times('a')]), isOfTwo([times('a'), times()])]).toEqual([false, false, false])
  expect(isOfTwo([times('a'), times('b')])).toBe(true)
  expect([isRecorded(), isRecorded([times()]), isRecorded([times(), times('a')])]).toEqual([false, false, true])
})
