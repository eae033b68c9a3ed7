// Only a fixed number of requests run at a time. Others wait in the order in which they came; a cancelled one leaves
// the queue.

import { expect, test } from 'bun:test'
import { Turns } from './turns.ts'

const NEVER = new AbortController().signal

test('turns pass to those that have waited longest', async () => {
  const turns = new Turns(2)
  const ends = [await turns.take(NEVER), await turns.take(NEVER)]
  expect(turns.takeNow()).toBeNull()
  const order: number[] = []
  const waiting = [1, 2].map(async (number) => {
    const end = await turns.take(NEVER)
    order.push(number)
    return end
  })
  ends[0]!()
  await waiting[0]
  ends[1]!()
  const [first, second] = await Promise.all(waiting)
  expect(order).toEqual([1, 2])
  first!()
  second!()
  expect([turns.takeNow() === null, turns.takeNow() === null, turns.takeNow() === null]).toEqual([false, false, true])
})

test('a cancelled request gets no turn', async () => {
  const turns = new Turns(1)
  const end = await turns.take(NEVER)
  const abort = new AbortController()
  const gone = turns.take(abort.signal)
  const last = turns.take(NEVER)
  abort.abort(new Error('too late'))
  expect(await gone.catch((error: Error) => error.message)).toBe('too late')
  end()
  const endOfLast = await last
  endOfLast()
  expect(turns.takeNow()).not.toBeNull()
})
