// Messages come out by record and channel, without those that were sent before.

import { expect, test } from 'bun:test'
import { madeBook } from '../../test/support/books/made-book.ts'
import { ChangedLevels } from '../changes/changed-levels.ts'
import { CHANNELS } from './follow-request.ts'
import { changeRow, SentMessages } from './sent-messages.ts'

const textsOf = (messages: SentMessages) => {
  const { bytes, channels, records, starts, ends } = messages.finish()
  return Array.from(channels, (channel, i) => {
    return `${records[i]} ${CHANNELS[channel]} {${Buffer.from(bytes.subarray(starts[i], ends[i])).toString()}`
  })
}

test('sorts messages added in any order; equal ones keep their order', () => {
  const messages = new SentMessages({ record: 0, step: 0 })
  messages.add('quotes', 2, { n: 1 })
  messages.add('records', 2, { n: 2 })
  messages.add('book', 1, { n: 3 })
  messages.add('book', 1, { n: 'é' })
  messages.writer.write(Buffer.from('{"n":5}'))
  messages.written('trades', 2, messages.length - 7)
  expect(textsOf(messages)).toEqual([
    ...['1 book {"n":3}', '1 book {"n":"é"}', '2 records {"n":2}', '2 trades {"n":5}', '2 quotes {"n":1}'],
  ])
})

test('a stream continues after a step of a record', () => {
  const messages = new SentMessages({ record: 7, step: 2 })
  for (const channel of CHANNELS) for (const record of [6, 7, 8]) messages.add(channel, record, { record })
  expect(textsOf(messages).map((text) => text.split(' {')[0]!)).toEqual([
    ...['7 book', '7 quotes', '8 records', '8 trades', '8 book', '8 quotes'],
  ])
  expect([messages.takes('trades', 7), messages.takes('book', 7)]).toEqual([false, true])
})

test('a changed level in dollars and contracts', () => {
  const levels = new ChangedLevels()
  levels.switched(madeBook([], []), madeBook([], [[600_000, 1_500_000]]), 5)
  expect(changeRow(levels, 0)).toEqual({ side: 'ask', price: 0.6, before: 0, after: 1.5 })
})
