// A snapshot whose comparison is over counts as confirmed or contradicted. A pending comparison ends with the book.

import { expect, test } from 'bun:test'
import type { Evidence } from './evidence.ts'
import { closeSnapshot, endPending } from './quality-ends.ts'
import { newProgress, type OpenSnapshot, type Progress } from './quality-state.ts'

const open = (of: Partial<OpenSnapshot>): OpenSnapshot => ({
  ...{ fromMs: 10, evidence: null, deltas: 0, toMs: 20, venueUs: 20_000, isEmpty: false, differing: [] },
  ...of,
})
const evidence: Evidence = { reason: 'crossed', fromMs: 5, record: 1 }
const differing = (count: number) => Array.from({ length: count }, (_, i): [number, number] => [i, 1])

function closed(of: Partial<Progress>) {
  const progress = { ...newProgress(), ...of }
  const gaps: unknown[][] = []
  closeSnapshot(progress, (...gap) => gaps.push(gap))
  return { progress, gaps, counts: [progress.snapshotsConfirmed, progress.snapshotsContradicted] }
}

test.each<[string, Partial<OpenSnapshot>, unknown[][], [number, number]]>([
  ['the same book', {}, [], [1, 0]],
  ['one level', { differing: differing(1) }, [], [1, 0]],
  ['two levels', { differing: differing(2) }, [['snapshot_contradicts', 10, 20, 2]], [0, 1]],
  ['two levels of a doubtful book', { differing: differing(2), evidence }, [['crossed', 5, 20, 2]], [0, 1]],
  ['a doubtful book that was not whole', { differing: null, evidence }, [['crossed', 5, 20, null]], [0, 0]],
  ['a book that was not whole', { differing: null }, [], [0, 0]],
  ['an empty snapshot of an empty book', { isEmpty: true }, [], [0, 0]],
])('a snapshot that differs in %s', (_, of, gaps, counts) => {
  const done = closed({ open: open(of) })
  expect([done.gaps, done.counts]).toEqual([gaps, counts])
  expect(done.progress.open).toBeNull()
})

test('an empty snapshot waits for the next record: another snapshot contradicts it', () => {
  const empty = closed({ open: open({ isEmpty: true, differing: differing(3), deltas: 4 }), fullSnapshots: 2 })
  expect([empty.gaps, empty.counts]).toEqual([[], [0, 0]])
  expect(empty.progress.empty).toEqual({ fromMs: 10, evidence: null, deltas: 4, toMs: 20, levels: 3, fullSnapshots: 2 })
  const again = closed({
    ...empty.progress,
    open: open({ isEmpty: true, differing: differing(2), fromMs: 30, toMs: 40 }),
  })
  expect([again.gaps, again.counts]).toEqual([[['snapshot_contradicts', 10, 20, 3]], [0, 1]])
})

test.each<[string, Partial<Progress>, 'established' | 'lost' | 'observed', number | undefined, unknown[][]]>([
  ['nothing pending', {}, 'established', undefined, []],
  ['evidence', { evidence }, 'established', 3, [['crossed', 5, 50, null]]],
  ['a hole', {}, 'observed', 3, [['sequence_hole', 3, 50, null]]],
  ['evidence of a lost book', { evidence }, 'lost', 3, []],
  ['an empty market that stays so', { empty: { ...open({}), levels: 3, fullSnapshots: 0 } }, 'lost', undefined, []],
  [
    'an empty market that continues',
    { deltas: 1, empty: { ...open({}), levels: 3, fullSnapshots: 0 } },
    'lost',
    undefined,
    [['snapshot_contradicts', 10, 20, 3]],
  ],
])('the end of a book with %s', (_, of, trust, holeMs, expected) => {
  const gaps: unknown[][] = []
  endPending({ ...newProgress(), ...of }, { trust }, holeMs, (...gap) => gaps.push(gap), 50)
  expect(gaps).toEqual(expected)
})
