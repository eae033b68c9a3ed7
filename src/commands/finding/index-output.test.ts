// Tests an answer of the index as JSON, lines, CSV or a table.

import { expect, test } from 'bun:test'
import { written } from '../../../test/support/programs/made-terminal.ts'
import { formatOf, type Listing, printed, printedCell } from './index-output.ts'

const ANSWER = {
  data_count: 2,
  data: [
    { a: 'x,"y"', n: 1_234.5, is: true },
    { a: null, n: 0, is: false },
  ],
}
const LISTING: Listing = {
  table: [
    ['n', 'N'],
    ['a', 'A'],
  ],
}
const show = (
  listing: Listing,
  format: 'table' | 'json' | 'ndjson' | 'csv',
  answer: Record<string, unknown> = ANSWER,
) => written(() => printed(listing, answer, format)).result

test('each format', () => {
  expect(show(LISTING, 'json')).toBe(`${JSON.stringify(ANSWER)}\n`)
  expect(show(LISTING, 'ndjson')).toBe('{"a":"x,\\"y\\"","n":1234.5,"is":true}\n{"a":null,"n":0,"is":false}\n')
  expect(show(LISTING, 'csv')).toBe('a,n,is\n"x,""y""",1234.5,true\n,0,false\n')
  expect(show(LISTING, 'table')).toBe('N        A\n1,234.5  x,"y"\n0        -\n')
})

test('a listing may define its own entries, rows and table', () => {
  const listing: Listing = {
    entries: ({ own }) => own as Record<string, unknown>[],
    row: ({ deep }) => ({ deep: String((deep as { x: number }).x) }),
    table: () => 'printed\n',
  }
  const answer = { own: [{ deep: { x: 1 } }] }
  expect(show(listing, 'ndjson', answer)).toBe('{"deep":{"x":1}}\n')
  expect(show(listing, 'csv', answer)).toBe('deep\n1\n')
  expect(show(listing, 'table', answer)).toBe('printed\n')
})

test('an empty answer prints no line', () => {
  const none = { data: [] }
  expect((['ndjson', 'csv', 'table'] as const).map((format) => show(LISTING, format, none))).toEqual(['', '', ''])
})

test('the format is the requested one, otherwise it depends on the destination', () => {
  const format = (options: Parameters<typeof formatOf>[0], isTTY = false) =>
    written(() => formatOf(options), { isTTY }).result
  expect([format({}), format({}, true), format({ json: true }), format({ format: 'csv' }, true)]).toEqual([
    ...['csv', 'table', 'json', 'csv'],
  ] as never)
  expect(format({ json: true, format: 'json' })).toBe('json')
  expect(() => format({ json: true, format: 'csv' })).toThrow('--json and --format csv contradict each other')
})

test('cells for people', () => {
  expect([printedCell(1_234_567.12345678), printedCell(null), printedCell('a\nb'), printedCell(true)]).toEqual([
    ...['1,234,567.123457', null, 'a\\u000ab', 'true'],
  ])
})
