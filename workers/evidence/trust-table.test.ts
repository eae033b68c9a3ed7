// Each cell of the trust table agrees with the contract, and any sequence of evidence ends in the state that plain
// facts give.

import { describe, expect, test } from 'bun:test'
import { AFTER, isKnown, isWhole, type Trust } from './trust-table.ts'

type Evidence = keyof typeof AFTER
const TRUSTS = ['unknown', 'observed', 'established', 'doubtful', 'lost'] as const
const EVIDENCE = Object.keys(AFTER) as Evidence[]

type Cell = [before: Trust, after: Trust, since: string]
const CELLS: Record<Evidence, Cell[]> = {
  snapshot: [
    ['unknown', 'established', 'a snapshot establishes'],
    ['observed', 'established', 'it has the levels that were not seen'],
    ['established', 'established', 'it replaces the book'],
    ['doubtful', 'established', 'an inferred gap ends at the next snapshot'],
    ['lost', 'established', 'lost is until the next snapshot'],
  ],
  record: [
    ['unknown', 'observed', 'levels are known as they were seen'],
    ['observed', 'observed', 'a change says nothing of other levels, a trade of none'],
    ['established', 'established', 'a change of a whole book leaves it whole'],
    ['doubtful', 'doubtful', 'an inferred gap ends at a snapshot or an agreeing hash alone'],
    ['lost', 'lost', 'after a gap the book is empty until the next snapshot'],
  ],
  agreeingHash: [
    ['unknown', 'established', 'whatever it was but lost'],
    ['observed', 'established', 'whatever it was but lost'],
    ['established', 'established', 'it says what is known'],
    ['doubtful', 'established', 'an inferred gap ends at an agreeing hash'],
    ['lost', 'lost', 'lost is until the next snapshot'],
  ],
  gap: [
    ['unknown', 'lost', 'after one that book is unknown until the next snapshot, seen before or not'],
    ['observed', 'lost', 'lost after a recorded gap'],
    ['established', 'lost', 'no longer established after a gap'],
    ['doubtful', 'lost', 'the loss is recorded now'],
    ['lost', 'lost', 'until the next snapshot'],
  ],
  missing: [
    ['unknown', 'unknown', 'doubtful is known, and nothing is known of it'],
    ['observed', 'doubtful', 'for every book of the sid; a level that cannot be applied is one that was seen, too'],
    ['established', 'doubtful', 'for every book of the sid; a level that cannot be applied is missing'],
    ['doubtful', 'doubtful', 'evidence within an open gap opens no other'],
    ['lost', 'lost', 'it is not known, so there is nothing to doubt'],
  ],
  contradiction: [
    ['unknown', 'unknown', 'there is no book that it could be of'],
    ['observed', 'observed', 'what fails on an observed book is no try: it was never whole'],
    ['established', 'doubtful', 'an established book that cannot be is in an inferred gap'],
    ['doubtful', 'doubtful', 'evidence within an open gap opens no other'],
    ['lost', 'lost', 'there is no book that it could be of'],
  ],
  openingBook: [
    ['unknown', 'unknown', 'there is no book to go on from'],
    ['observed', 'observed', 'it carries its trust from the date before'],
    ['established', 'established', 'an opening book that was established'],
    ['doubtful', 'doubtful', 'it carries its trust from the date before'],
    ['lost', 'lost', 'until the next snapshot, however late'],
  ],
  olderOpeningBook: [
    ['unknown', 'unknown', 'there is no book to go on from'],
    ['observed', 'observed', 'its levels are those that were seen, and were never more'],
    ['established', 'doubtful', 'from an older date it is doubtful: days_without_data'],
    ['doubtful', 'doubtful', 'it was so before'],
    ['lost', 'lost', 'until the next snapshot, however late'],
  ],
}

describe.each(EVIDENCE)('after %s', (evidence) => {
  test.each(CELLS[evidence])('a book that was %s is %s: %s', (before, after) =>
    expect(AFTER[evidence][before]).toBe(after),
  )
  test('every state has its cell', () => expect(CELLS[evidence].map(([before]) => before)).toEqual([...TRUSTS]))
})

/** The state of a book as independent facts. */
type Facts = { isSeen: boolean; isLost: boolean; hasAllLevels: boolean; isInGap: boolean }
const NOTHING: Facts = { isSeen: false, isLost: false, hasAllLevels: false, isInGap: false }

const MODEL: Record<Evidence, (book: Facts) => Facts> = {
  snapshot: () => ({ isSeen: true, isLost: false, hasAllLevels: true, isInGap: false }),
  record: (book) => ({ ...book, isSeen: true }),
  agreeingHash: (book) => (book.isLost ? book : { ...book, isSeen: true, hasAllLevels: true, isInGap: false }),
  gap: () => ({ ...NOTHING, isSeen: true, isLost: true }),
  missing: (book) => ({ ...book, isInGap: book.isSeen && !book.isLost }),
  contradiction: (book) => ({ ...book, isInGap: book.isInGap || book.hasAllLevels }),
  openingBook: (book) => book,
  olderOpeningBook: (book) => ({ ...book, isInGap: book.isInGap || book.hasAllLevels }),
}

function trustBy({ isSeen, isLost, hasAllLevels, isInGap }: Facts): Trust {
  if (!isSeen) return 'unknown'
  if (isLost) return 'lost'
  if (isInGap) return 'doubtful'
  return hasAllLevels ? 'established' : 'observed'
}

test('every course of six pieces of evidence ends as the facts say', () => {
  let courses = 0
  const walk = (trust: Trust, facts: Facts, left: number): void => {
    if (trust !== trustBy(facts)) expect(trust).toBe(trustBy(facts))
    if (left === 0) courses++
    else for (const each of EVIDENCE) walk(AFTER[each][trust], MODEL[each](facts), left - 1)
  }
  walk('unknown', NOTHING, 6)
  expect(courses).toBe(EVIDENCE.length ** 6)
})

test('an inferred gap applies to a known book, a contradiction to an established one', () => {
  expect(TRUSTS.filter(isKnown)).toEqual(['observed', 'established', 'doubtful'])
  expect(TRUSTS.filter(isWhole)).toEqual(['established', 'doubtful'])
})
