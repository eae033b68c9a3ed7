// A market is read again if a commit came between. A part that is missing from an unchanged market is damage.

import { expect, test } from 'bun:test'
import { PartGone } from '../../storage/damage.ts'
import { consistently } from './consistently.ts'

const market = { venue: 'kalshi', market: 'KX' } as const
const gone = () => new PartGone({ ...market, date: '2026-08-10' }, 'head')

/** Reads from a store that gives these `revisions` one after the other, and then repeats the last one. */
function reading(revisions: number[], read: (tries: number) => string) {
  let [at, tries, refreshed] = [0, 0, 0]
  const catalogue = { revision: async () => ({ revision: revisions[Math.min(at++, revisions.length - 1)]! }) } as never
  const store = { catalogue, refresh: () => void refreshed++ }
  const answer = consistently(store, market, async () => read(++tries))
  return answer.then(
    (value) => ({ value, tries, refreshed }),
    (error: unknown) => ({ error, tries, refreshed }),
  )
}

test('once, if nothing changes', async () =>
  expect(await reading([1], (tries) => `${tries}`)).toEqual({ value: '1', tries: 1, refreshed: 0 }))

test('again after a commit, five times at most', async () => {
  expect(await reading([1, 2, 2, 2], (tries) => `${tries}`)).toEqual({ value: '2', tries: 2, refreshed: 1 })
  expect(await reading([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], (tries) => `${tries}`)).toEqual({
    value: '5',
    tries: 5,
    refreshed: 4,
  })
})

test('again if a part was missing and the market has changed, else it is damage', async () => {
  const once = (tries: number) => {
    if (tries === 1) throw gone()
    return 'read'
  }
  expect(await reading([1, 2, 2], once)).toMatchObject({ value: 'read', tries: 2 })
  expect(await reading([1], once)).toMatchObject({ error: expect.any(PartGone), tries: 1 })
})

test('another failure is not tried again', async () => {
  const error = new TypeError('x')
  const fails = () => {
    throw error
  }
  expect(await reading([1, 2], fails)).toEqual({ error, tries: 1, refreshed: 0 })
})
