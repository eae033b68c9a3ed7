// Estimates the rows and bytes of an answer from the part that was read.

import { describe, expect, test } from 'bun:test'
import { sizeOf } from './size-of.ts'

const QUERY = { start_timestamp: 1_000_000_000_000, end_timestamp: 1_000_000_100_000 }

describe('the size of an answer', () => {
  test('is exact if all of it was read', () => {
    const read = { bytes: 500, lines: 11, lastLine: '', isAll: true }
    expect(sizeOf(read, { format: 'csv', rows: null, query: QUERY })).toEqual({
      rows: 10,
      bytes: 500,
      isEstimate: false,
    })
    expect(sizeOf(read, { format: 'ndjson', rows: null, query: QUERY }).rows).toBe(11)
    expect(sizeOf(read, { format: 'parquet', rows: 7, query: QUERY }).rows).toBe(7)
    expect(sizeOf(read, { format: 'arrow', rows: null, query: QUERY }).rows).toBeNull()
  })

  test('follows from its rows if the server states their count', () => {
    const read = { bytes: 4_000, lines: 41, lastLine: '', isAll: false }
    expect(sizeOf(read, { format: 'csv', rows: 400, query: QUERY })).toEqual({
      rows: 400,
      bytes: 40_000,
      isEstimate: true,
    })
  })

  test('otherwise follows from the time of the last line that was read', () => {
    const read = { bytes: 1_000, lines: 11, lastLine: 'KXA,1000000025000,7,level', isAll: false }
    expect(sizeOf(read, { format: 'csv', rows: null, query: QUERY })).toEqual({
      rows: 40,
      bytes: 4_000,
      isEstimate: true,
    })
    const line = '{"timestamp":1000000050000,"record":1}'
    const lines = { bytes: 1_000, lines: 10, lastLine: line, isAll: false }
    expect(sizeOf(lines, { format: 'ndjson', rows: null, query: QUERY }).rows).toBe(20)
  })
})
