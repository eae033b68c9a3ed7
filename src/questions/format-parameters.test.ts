// Tests what the formats of a question add to it: parameters, columns, and documentation.

import { expect, test } from 'bun:test'
import { t } from 'elysia'
import type { TableFormat } from '../../workers/table/encode-table.ts'
import type { Parameter } from '../http/parameters/parameter.ts'
import { PARAMETERS } from '../http/parameters/venue-parameters.ts'
import { documentedFormats, encodingOf, formatsOf, parametersOf } from './format-parameters.ts'
import type { Question } from './question.ts'

const question = (formats?: readonly TableFormat[]) =>
  ({
    ...{ kind: 'records', ...(formats && { formats }) },
    parameters: () => ({ required: ['market'], optional: ['date'] }),
  }) as unknown as Question
const ROWS = question(['json', 'ndjson', 'csv', 'parquet'])
const namesOf = (of: Question) => parametersOf(of, PARAMETERS.kalshi).optional

test('a question of several formats takes a format, and columns where there are some', () => {
  expect(namesOf(ROWS)).toEqual(expect.arrayContaining(['date', 'format', 'columns']))
  expect(namesOf(question(['json', 'ndjson']))).toContain('format')
  expect(namesOf(question(['json', 'ndjson']))).not.toContain('columns')
  expect(namesOf(question())).not.toContain('format')
  expect([formatsOf(question()), formatsOf({ kind: 'index' } as Question)]).toEqual([['json'], ['json']])
  const { format } = parametersOf(ROWS, PARAMETERS.kalshi).own as Readonly<Record<string, Parameter>>
  expect(['csv', 'arrow'].map((text) => format!.matches(text))).toEqual([true, false])
})

const encoding = (query: Record<string, string>, accept = '*/*') =>
  encodingOf(ROWS, new Request('http://localhost/', { headers: { accept } }), query, ['a', 'b', 'c'])

test('columns must be in the answer, each once, and need a flat format', () => {
  expect(encoding({})).toEqual({ format: 'json' })
  expect(encoding({}, 'text/csv')).toEqual({ format: 'csv' })
  expect(encoding({ format: 'parquet', columns: 'c,a' })).toEqual({ format: 'parquet', columns: ['c', 'a'] })
  expect(() => encoding({ columns: 'a' })).toThrow('columns is for the formats csv, arrow or parquet, got it with json')
  expect(() => encoding({ format: 'csv', columns: 'a,d' })).toThrow('columns must be of a, b, c, got "d"')
  expect(() => encoding({ format: 'csv', columns: 'a,b,a' })).toThrow('columns must name each column once, got "a,b,a"')
})

test('the documentation has every format, and headers for the fields of the envelope', () => {
  const data = t.Array(t.Object({ x: t.Integer() }))
  const answer = { description: '', schema: t.Object({ data_count: t.Integer(), has_more: t.Boolean(), data }) }
  const { rowHeaders, others } = documentedFormats(answer, ['json', 'ndjson', 'csv', 'arrow'])
  expect(rowHeaders).toEqual(['X-Data-Count', 'X-Has-More'])
  expect(others!.map(({ type }) => type)).toEqual([
    ...['application/x-ndjson', 'text/csv', 'application/vnd.apache.arrow.stream'],
  ])
  expect(documentedFormats(answer, ['json'])).toBe(answer)
})
