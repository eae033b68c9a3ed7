// The counts of a file's rows add up.

import { expect, test } from 'bun:test'
import {
  addRead,
  addSums,
  assertUnderstood,
  hasNoneOf,
  markPresent,
  newReport,
  REJECTS_SHOWN_MAX,
} from './import-report.ts'

const file = { name: 'a.csv' } as never
const format = (isRebuilt: boolean) => ({ name: 'made', isRebuilt }) as never
const rejects = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ file: 'x', line: i + 1, reason: `r${i}` }))
const read = { messages: 5, documents: 0, skipped: {}, notes: {}, rejected: 0, rejects: [] }

test('rows that were rebuilt are used, skipped or rejected', () => {
  const report = newReport(null)
  addSums(report, { rows: 10, skipped: { quotes: 2 }, repaired: 3 })
  addRead(report, format(true), file, { ...read, rejected: 1, rejects: rejects(1), notes: { n: 1 } })
  addSums(report, { rows: 4, skipped: { quotes: 1 } })
  addRead(report, format(true), file, { ...read, messages: 3, notes: { n: 2 } })
  expect(report).toMatchObject({
    rows: 14,
    used: 10,
    skipped: { quotes: 3 },
    notes: { n: 3 },
    repaired: 3,
    messages: 8,
    rejected: 1,
  })
  expect(report.rejects).toEqual([{ file: 'a.csv', line: 1, reason: 'r0' }])
})

test('a report of frames counts messages and names documents', () => {
  const report = newReport(null)
  addSums(report, { rows: 10 })
  addRead(report, format(false), file, { ...read, documents: 2 })
  expect([report.used, report.skipped]).toEqual([5, { 'documents of metadata, which ingest loads': 2 }])
})

test('only the first rejects are listed', () => {
  const report = newReport(null)
  for (const count of [15, 15])
    addRead(report, format(true), file, { ...read, rejected: count, rejects: rejects(count) })
  expect([report.rejected, report.rejects.length]).toEqual([30, REJECTS_SHOWN_MAX])
})

test('chosen markets without a row', () => {
  const chosen = new Set(['B', 'A', 'C'])
  const report = newReport(chosen)
  expect([report.absent, hasNoneOf(report, chosen), hasNoneOf(newReport(null), null)]).toEqual([
    ['A', 'B', 'C'],
    true,
    false,
  ])
  for (const market of ['B', 'X', 'B']) markPresent(report, market)
  expect([report.absent, hasNoneOf(report, chosen)]).toEqual([['A', 'C'], false])
})

test('a file whose rows are all rejected is not of the format', () => {
  const report = { ...newReport(null), rejected: 1, rejects: rejects(1) }
  expect(() => assertUnderstood(format(true), file, report)).toThrow('a.csv has no row of made: in row 1, r0')
  for (const of of [{ messages: 1 }, { skipped: { x: 1 } }, { rejected: 0 }])
    assertUnderstood(format(true), file, { ...report, ...of })
})
