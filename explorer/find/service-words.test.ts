// Tests the text for what the server reports about itself.

import { describe, expect, test } from 'bun:test'
import { componentText, failedText, figureText, pastDay, pastText, recordedText } from './service-words.ts'

describe('whether a venue is recorded', () => {
  test.each([
    [undefined, undefined, 'No recorder runs here'],
    ['idle', undefined, 'The recorder is stopped'],
    ['down', undefined, 'The recorder ended unexpectedly'],
    ['ok', undefined, 'Not recorded here'],
    ['ok', 'ok', 'Being recorded'],
    ['degraded', 'ok', 'Being recorded'],
    ['ok', 'degraded', 'Being recorded, in part'],
    ['ok', 'down', 'Should be recorded, but no connection is open'],
  ] as const)('recorder %p, its part %p', (recorder, ofVenue, words) => {
    expect(recordedText(recorder, ofVenue)).toBe(words)
  })
})

test('shows a share of failures where there is one', () => {
  expect(failedText(0, 0)).toBe('0 of 0 requests failed')
  expect(failedText(3, 1_200)).toBe('3 of 1,200 requests failed (0.25 %)')
})

test('describes days by their gaps', () => {
  const day = { date: '2026-07-20', condition: 'available', gaps: 0, gap_ms: 0, incidents: [] } as const
  const degraded = { ...day, condition: 'degraded', gaps: 2, gap_ms: 3_200, incidents: ['parser_issue'] } as const
  const missing = { ...day, condition: 'missing' } as const
  expect(pastDay(degraded).faults).toBe('2 gaps of its markets, 3.2 s in all, parser issue')
  expect(pastText([day, degraded, missing])).toBe('The last 3 days: 1 without a gap, 1 degraded, 1 missing')
  expect(pastText([missing, missing])).toBe('Nothing is stored of the last 2 days')
})

test.each([
  ['age_seconds', 3_720, '1 h 2 min'],
  ['file_bytes', 3_997_696, '4.0 MB'],
  ['queued_bytes', 0, '0 B'],
  ['queued_bytes', 999, '999 B'],
  ['map_bytes', 68_719_476_736, '69 GB'],
  ['task_ms_p50', 44.756, '44.8 ms'],
  ['answer_ms', null, '–'],
  ['last_record_timestamp', 1_784_591_978_334, '2026-07-20 23:59:38'],
  ['markets', 5_200, '5,200'],
])('%s: %p', (name, value, text) => {
  expect(figureText(name, value)).toBe(text)
})

test('an unknown component keeps its name', () => {
  expect([componentText('accounts'), componentText('new_part')]).toEqual(['Keys and usage', 'new part'])
})
