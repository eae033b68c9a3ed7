// Tests arguments of tools: errors explain themselves to the model, and valid arguments become parameters of the API.

import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { checked, datesBetween, instantOf, limit, marketQuery, WINDOW, WrongArguments, windowOf } from './arguments.ts'

const NOON = Date.parse('2026-08-10T12:00:00Z')

test('the first wrong argument is named with its value', () => {
  const schema = Type.Object({ q: Type.String(), limit: limit({ max: 9, usual: 5, words: 'Markets' }) })
  expect(checked(schema, { q: 'a' })).toEqual({ q: 'a' })
  expect(checked(Type.Object({}), undefined)).toEqual({})
  const refused = (given: unknown) => () => checked(schema, given)
  expect(refused({ q: 'a', limit: 10 })).toThrow(
    new WrongArguments('limit: expected integer to be less or equal to 9, got 10'),
  )
  expect(refused({})).toThrow(new WrongArguments('q: expected required property, got nothing'))
  expect(refused('x')).toThrow(new WrongArguments('the arguments: expected object, got "x"'))
  expect(schema.properties.limit.description).toBe('Markets, at most 9; 5 unless given')
})

test('a market is named as its venue names it', () => {
  expect(marketQuery({ venue: 'kalshi', market: 'KX', source: 'own' })).toEqual({ ticker: 'KX', source: 'own' })
  expect(marketQuery({ venue: 'polymarket', market: '0x1', asset_id: '5' })).toEqual({
    ...{ condition_id: '0x1', asset_id: '5' },
  })
})

test.each<[Parameters<typeof windowOf>[0], ReturnType<typeof windowOf>]>([
  [{ date: '2026-08-10' }, { query: { date: '2026-08-10' }, seconds: 86_400 }],
  [
    { start: '2026-08-10T12:00:00Z', end: NOON / 1_000 + 9 },
    { query: { start_timestamp: NOON, end_timestamp: NOON + 9_999 }, seconds: 9.999 },
  ],
  [
    { start: NOON, end: NOON },
    { query: { start_timestamp: NOON, end_timestamp: NOON }, seconds: 1 },
  ],
])('the window %j', (given, expected) => expect(windowOf(given)).toEqual(expected))

test.each<[Parameters<typeof windowOf>[0], string]>([
  [{}, 'give date, or both start and end'],
  [{ start: 1 }, 'give date, or both start and end'],
  [{ date: '2026-08-10', end: 1 }, 'give date, or both start and end'],
  [{ start: 'noon', end: 1 }, 'start must be Unix seconds'],
  [{ start: 1, end: '2026-08-10T12:00' }, 'end must be Unix seconds'],
])('the window %j is refused', (given, message) => {
  expect(() => windowOf(given)).toThrow(WrongArguments)
  expect(() => windowOf(given)).toThrow(message)
})

test('dates between two others, both included, or with one end', () => {
  const dates = ['2026-08-09', '2026-08-10', '2026-08-11', '2026-08-12']
  const within = (from?: string, to?: string) => dates.filter(datesBetween(from, to)).map((date) => date.slice(8))
  expect([within(), within('2026-08-10'), within(undefined, '2026-08-10'), within('2026-08-10', '2026-08-11')]).toEqual(
    [
      ...[
        ['09', '10', '11', '12'],
        ['10', '11', '12'],
        ['09', '10'],
        ['10', '11'],
      ],
    ],
  )
  expect(within('2026-08-10', '2026-08-10')).toEqual(['10'])
  expect(() => datesBetween('2026-08-11', '2026-08-10')).toThrow('from must be at or before to (2026-08-10)')
  expect(() => datesBetween(undefined, '2026-02-30')).toThrow('to must be a date, YYYY-MM-DD, got "2026-02-30"')
})

test('an instant in any spelling is ms', () => {
  expect([instantOf('at', NOON / 1_000), instantOf('at', '2026-08-10T12:00:00Z')]).toEqual([NOON, NOON])
  expect(instantOf('at', undefined)).toBeUndefined()
  expect(() => instantOf('at', 'now')).toThrow('at must be Unix seconds')
  expect(Object.keys(WINDOW)).toEqual(['date', 'start', 'end'])
})
