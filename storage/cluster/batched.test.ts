// Goal: queries that come while one is under way are sent as one, and each gets its own answer or the failure.

import { expect, test } from 'bun:test'
import { Batched } from './batched.ts'

function batched() {
  const requests: number[][] = []
  const release: (() => void)[] = []
  const queries = new Batched<number, number>(async (questions) => {
    requests.push(questions)
    await new Promise<void>((resolve) => release.push(resolve))
    if (questions.includes(13)) throw new Error('unlucky')
    return questions.map((question) => 2 * question)
  })
  const next = async () => {
    while (release.length === 0) await Promise.resolve()
    release.shift()!()
  }
  return { queries, requests, next }
}

test('queries of one turn are one request, and waiting ones are the next', async () => {
  const { queries, requests, next } = batched()
  const first = [queries.ask(1), queries.ask(2)]
  await Promise.resolve()
  const second = [queries.ask(3), queries.ask(4)]
  await next()
  expect(await Promise.all(first)).toEqual([2, 4])
  await next()
  expect(await Promise.all(second)).toEqual([6, 8])
  expect(requests).toEqual([
    [1, 2],
    [3, 4],
  ])
})

test('a failure affects only its own batch', async () => {
  const { queries, next } = batched()
  const failing = Promise.allSettled([queries.ask(13), queries.ask(1)])
  await Promise.resolve()
  const later = queries.ask(5)
  await next()
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await next()
  expect(await later).toBe(10)
})

test('at most a thousand are sent together', async () => {
  const { queries, requests, next } = batched()
  const all = Promise.all(Array.from({ length: 1_500 }, (_, i) => queries.ask(i + 14)))
  await next()
  await next()
  expect((await all).length).toBe(1_500)
  expect(requests.map(({ length }) => length)).toEqual([1_000, 500])
})
