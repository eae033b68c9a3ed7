// Tests which format of rows a request gets, and which headers take the place of an envelope.

import { expect, test } from 'bun:test'
import { TABLE_FORMATS, type TableFormat } from '../../../workers/table/encode-table.ts'
import { envelopeHeaders, mediaTypeOf, missingHeaders, wantedFormat } from './negotiated-format.ts'

const wanted = (accept: string | null, given?: string, offered: readonly TableFormat[] = TABLE_FORMATS) =>
  wantedFormat(new Request('http://localhost/', accept === null ? {} : { headers: { accept } }), given, offered)

test.each([
  [null, 'json'],
  ['*/*', 'json'],
  ['text/html,application/xhtml+xml', 'json'],
  ['text/csv', 'csv'],
  ['text/csv;q=0.5, application/x-ndjson', 'ndjson'],
  ['application/vnd.apache.parquet, */*;q=0.1', 'parquet'],
  ['application/vnd.apache.arrow.stream', 'arrow'],
  ['text/csv;q=0', 'json'],
] as const)('Accept %p is %s', (accept, format) => expect(wanted(accept)).toBe(format))

test('the parameter wins over the header, and a format that is not offered is JSON', () => {
  expect(wanted('text/csv', 'arrow')).toBe('arrow')
  expect(wanted('text/csv', undefined, ['json', 'ndjson'])).toBe('json')
  expect(mediaTypeOf('csv')).toBe('text/csv')
})

test('the headers have the fields of the envelope, without missing ones', () => {
  expect(envelopeHeaders({ data_count: 0, has_more: false, next_cursor: null, other: 1 })).toEqual({
    ...{ 'X-Data-Count': '0', 'X-Has-More': 'false' },
  })
  expect(envelopeHeaders({ data_points: 5, next_cursor: 'abc', total_count: 9 })).toEqual({
    ...{ 'X-Data-Count': '5', 'X-Next-Cursor': 'abc', 'X-Total-Count': '9' },
  })
})

test('missing columns are counted, and the first 20 are named', () => {
  const missing = Array.from({ length: 21 }, (_, n) => ({
    ids: { ticker: `K${n}`, asset_id: null },
    failure: { code: 'market_not_stored' },
  }))
  expect(missingHeaders([])).toEqual({ 'x-error-count': '0' })
  const { 'x-error-count': count, 'x-errors': errors } = missingHeaders(missing) as Record<string, string>
  const shown = JSON.parse(errors!)
  expect([count, shown.length, shown[19]]).toEqual([
    ...['21', 20, { ticker: 'K19', asset_id: null, code: 'market_not_stored' }],
  ])
})
