// Goal: the index is checked before anybody is answered, as far as the time goes, and then part by part for as long as the
// server runs, whatever becomes of a part.

import { expect, test } from 'bun:test'
import { IndexWatch } from '../../../workers/pool/index-watch.ts'
import type { IndexPart, IndexRequest } from '../../../workers/requests.ts'

const cursor = (entries: number) => ({ tree: 'heads', from: null, entries, transaction: 1 })

/** An index of so many parts; `asked` are the cursors. */
function indexOf(parts: number, fail: (request: IndexRequest) => boolean = () => false) {
  const asked: (number | null)[] = []
  const waiting = new Map<number, () => void>()
  const check = async (request: IndexRequest): Promise<IndexPart> => {
    asked.push(request.cursor?.entries ?? null)
    waiting.get(asked.length)?.()
    if (fail(request)) throw new Error('the thread has ended')
    const next = (request.cursor?.entries ?? 0) + 1
    return { pages: 10, faults: 0, next: next === parts ? null : cursor(next) }
  }
  return { asked, check, reached: (count: number) => new Promise<void>((resolve) => waiting.set(count, resolve)) }
}

test('the whole index is checked before it is said to have started', async () => {
  const { asked, check } = indexOf(4)
  let told = 0
  const watch = new IndexWatch({ check, onPart: () => told++ })
  await watch.start(60_000)
  expect(asked).toEqual([null, 1, 2, 3])
  expect(told).toBe(4)
  expect(watch.figures()).toEqual({ pages: 40, passes: 1 })
  watch.stop()
})

test('it starts without that when there is no time, and goes on from there again and again', async () => {
  const { asked, check, reached } = indexOf(3)
  const watch = new IndexWatch({ check, onPart: () => undefined, pauseMs: 0 })
  const later = reached(7)
  await watch.start(0)
  expect(asked).toEqual([])
  await later
  watch.stop()
  expect(asked.slice(0, 7)).toEqual([null, 1, 2, null, 1, 2, null])
})

test('a part that fails is checked again', async () => {
  let failures = 2
  const { asked, check, reached } = indexOf(3, ({ cursor }) => cursor?.entries === 1 && failures-- > 0)
  const watch = new IndexWatch({ check, onPart: () => undefined, pauseMs: 0 })
  const later = reached(6)
  await watch.start(60_000)
  expect(watch.figures().passes).toBe(0)
  await later
  watch.stop()
  expect(asked.slice(0, 6)).toEqual([null, 1, 1, 1, 2, null])
})
