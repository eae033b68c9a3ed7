// Tests the text that says how reliable a day is.

import { describe, expect, test } from 'bun:test'
import {
  agreedText,
  archiveText,
  auditsText,
  type DayCoverage,
  dayOf,
  lengthText,
  missedOf,
  missedText,
  snapshotsText,
} from './coverage-words.ts'

const START = Date.parse('2026-07-20T12:00:00Z')
const DAY: DayCoverage = { date: '2026-07-20', record_count: 1_200, gaps: [], inferred_gaps: [], incidents: [] }
const known = { reason: 'disconnect', from: START + 9_000, to: START + 12_000, timestamp: START + 12_000 }
const inferred = { reason: 'snapshot_contradicts', from: START, to: START + 500, levels_differing: 3 } as const

describe('what was missed', () => {
  test('is in order of time, whether recorded or inferred', () => {
    expect(missedOf({ ...DAY, gaps: [known], inferred_gaps: [inferred] })).toEqual([
      {
        fromMs: START,
        toMs: START + 500,
        why: 'Changes were lost: the next snapshot differs in 3 levels',
        isInferred: true,
      },
      { fromMs: START + 9_000, toMs: START + 12_000, why: 'disconnect', isInferred: false },
    ])
  })

  test.each([
    [{ ...inferred, levels_differing: null }, 'Changes were lost: the next snapshot contradicts the book'],
    [
      { ...inferred, reason: 'sequence_restart' as const, levels_differing: 1 },
      'The connection was a new one: the next snapshot differs in 1 level',
    ],
    [{ ...inferred, reason: 'sequence_restart' as const, levels_differing: null }, 'The connection was a new one'],
  ])('%j', (gap, why) => {
    expect(missedOf({ ...DAY, inferred_gaps: [gap] })[0]!.why).toBe(why)
  })

  test('has an end where one is known', () => {
    const begun = { ...known, from: null, to: null }
    const [gap] = missedOf({ ...DAY, gaps: [begun] })
    expect(gap).toMatchObject({ fromMs: known.timestamp, toMs: null })
    expect(lengthText(gap!)).toBe('end unknown')
    expect(missedText([gap!])).toBe('1 gap')
    expect(missedText(missedOf({ ...DAY, gaps: [known, begun] }))).toBe('2 gaps, 3.0 s')
  })
})

test('a day is degraded by a gap, an inferred gap or an incident', () => {
  expect(dayOf(DAY)).toEqual({ date: '2026-07-20', condition: 'available', records: 1_200, faults: '' })
  expect(dayOf({ ...DAY, gaps: [known] })).toMatchObject({ condition: 'degraded', faults: '1 gap, 3.0 s' })
  expect(dayOf({ ...DAY, inferred_gaps: [inferred] })).toMatchObject({ condition: 'degraded', faults: '1 gap, 500 ms' })
  const incident = { name: 'parser_issue', note: '' }
  expect(dayOf({ ...DAY, incidents: [incident] })).toMatchObject({ condition: 'degraded', faults: 'parser issue' })
})

test('distinguishes what was compared from what was not', () => {
  expect(snapshotsText(0, 0)).toBe('none to compare with')
  expect(snapshotsText(12, 0)).toBe('12 confirm the book')
  expect(snapshotsText(1, 1)).toBe('1 confirms the book, 1 contradicts it')
  expect(agreedText(0, 0)).toBe('none to compare with')
  expect(agreedText(1_199, 1_200)).toBe('1,199 of 1,200 agree')
  expect(auditsText({ exact: 0, consistent: 0, inconsistent: 0, undecidable: 0 })).toBe('none made')
  expect(auditsText({ exact: 4, consistent: 0, inconsistent: 1, undecidable: 0 })).toBe('4 the same, 1 different')
})

test('archives are named with their attribution and licence', () => {
  const archive = { source: 'pmxt-v2', records: 69, licence: 'CC BY 4.0', attribution: 'pmxt' }
  expect(archiveText(archive)).toBe('69 records are from the archive pmxt-v2, by pmxt: CC BY 4.0.')
  expect(archiveText({ source: 'ag6', records: 1, licence: null, attribution: null })).toBe(
    '1 record is from the archive ag6: no licence is stated.',
  )
})
