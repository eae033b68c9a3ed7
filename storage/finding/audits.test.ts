// Goal: the audits of a date are a set, in the order of their times.

import { expect, test } from 'bun:test'
import { type Audit, countAudits, mergedAudits } from './audits.ts'

const audit = (atUs: number, result: Audit['result'], book: string | null = null): Audit => ({ atUs, book, result })

test('an audit that is sent twice is stored once, and nothing new changes nothing', () => {
  const stored = [audit(5, 'exact')]
  expect(mergedAudits(stored, [audit(5, 'exact')])).toBe(stored)
  const merged = mergedAudits(stored, [
    audit(9, 'exact'),
    audit(3, 'exact', 'b'),
    audit(3, 'exact', 'a'),
    audit(9, 'exact'),
  ])
  expect(merged).toEqual([audit(3, 'exact', 'a'), audit(3, 'exact', 'b'), audit(5, 'exact'), audit(9, 'exact')])
})

test('another result or book is another audit', () => {
  expect(mergedAudits([audit(5, 'exact')], [audit(5, 'consistent'), audit(5, 'exact', 'a')])).toHaveLength(3)
})

test('audits are counted by result', () => {
  expect(countAudits([audit(1, 'exact'), audit(2, 'exact'), audit(3, 'undecidable')])).toEqual({
    ...{ exact: 2, consistent: 0, inconsistent: 0, undecidable: 1 },
  })
})
