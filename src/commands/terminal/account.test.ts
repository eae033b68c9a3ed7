// A load reports in one line what it did with everything it read. The parts of the line add up to its total.

import { expect, test } from 'bun:test'
import { accountText, skippedParts } from './account.ts'

const RECORDS = { count: 69, what: 'record' }

test.each([[{ read: { count: 74, what: 'row' }, used: 69, made: RECORDS, unused: [[5, 'control frames']] as const }]])(
  'as in the contract',
  (account) => {
    expect(accountText(account)).toBe('74 rows: 69 records, 5 control frames')
  },
)

test('rows that make another number of records, and messages that are not one a line', () => {
  const read = { count: 1_000, what: 'row' }
  expect(accountText({ read, used: 1_000, made: RECORDS, unused: [[0, 'not understood']] })).toBe(
    '1,000 rows: 1,000 that make 69 records',
  )
  expect(accountText({ read, used: 69, made: RECORDS, unused: [[1, 'not understood']] })).toBe(
    '70 messages in 1,000 rows: 69 records, 1 not understood',
  )
  expect(
    accountText({ read: { count: 0, what: 'row' }, used: 0, made: { count: 0, what: 'record' }, unused: [] }),
  ).toBe('0 rows: 0 records')
})

test('reports skipped messages by group', () => {
  expect(skippedParts({ ping: 2, subscribed: 1, 'private fill': 1, 'backbook segment': 1, best_bid_ask: 3 })).toEqual([
    [3, 'control frames'],
    [1, 'private frame'],
    [1, 'line of the recorder about itself'],
    [3, 'best_bid_ask'],
  ])
})
