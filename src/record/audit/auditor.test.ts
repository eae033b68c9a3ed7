// Tests which books are compared with REST, and which are then distrusted.

import { expect, test } from 'bun:test'
import { FakeTime } from '../../../test/support/venues/fake-time.ts'
import { RestError, type RestRequest } from '../rest/rest-host.ts'
import type { Levels } from './audited-book.ts'
import { type AuditedSession, Auditor } from './auditor.ts'

const BOOKS = ['A', 'B', 'C']

/** Returns an auditor and a session with this many comparisons; `differing` has the number of differences by book. */
function scene(comparisons: number, differing: Record<string, number>, hasRest = true) {
  const time = new FakeTime(0)
  const requested: string[] = []
  const concluded: string[] = []
  const distrusted: string[] = []
  const session: AuditedSession = {
    known: () => BOOKS,
    watch: () => true,
    conclude: (book, restLevels) => {
      const differs = (differing[book] ?? 0) > 0
      if (differs) differing[book]!--
      const result = restLevels === undefined ? 'undecidable' : differs ? 'inconsistent' : 'exact'
      concluded.push(`${book} ${result}`)
      return result
    },
    distrust: (book) => void distrusted.push(book),
  }
  const get = <Read>({ path, read }: RestRequest<Read>) => {
    requested.push(path)
    if (!hasRest) return Promise.reject(new RestError('failed', null, 'no answer'))
    return Promise.resolve({ body: path, read: read(path) as Read, receivedNs: 0n })
  }
  const auditor = new Auditor({
    ...{ rest: { get }, booksPerSecond: 1, batchMax: 2, comparisons },
    path: (books) => books.join(),
    read: (json) =>
      new Map<string, Levels>(
        String(json)
          .split(',')
          .map((book) => [book, new Map()]),
      ),
    timers: time.timers,
    random: () => 0,
  })
  auditor.add(session)
  return { time, session, requested, concluded, distrusted, auditor }
}

test('each audit compares as many books as one request holds, at the configured rate', async () => {
  const { time, session, requested, concluded, auditor } = scene(1, {})
  await time.advance(2_000)
  expect(requested).toEqual(['A,C'])
  await time.advance(2_500)
  expect(concluded).toEqual(Array(2).fill(['A exact', 'C exact']).flat())
  auditor.remove(session)
  await time.advance(10_000)
  expect(requested).toHaveLength(2)
})

test.each([
  [1, 1, ['A'], ['A,C']],
  [2, 1, [], ['A,C', 'A']],
  [2, 2, ['A'], ['A,C', 'A']],
])('of %d comparisons, %d differ', async (comparisons, differing, distrusted, requested) => {
  const seen = scene(comparisons, { A: differing })
  await seen.time.advance(3_900)
  expect([seen.distrusted, seen.requested]).toEqual([distrusted, requested])
})

test('a request that fails decides nothing', async () => {
  const { time, concluded, distrusted } = scene(1, { A: 1 }, false)
  await time.advance(3_000)
  expect([concluded, distrusted]).toEqual([['A undecidable', 'C undecidable'], []])
})
