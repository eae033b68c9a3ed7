// The limit of large work: room, a line, and work that is larger than the limit.

import { expect, test } from 'bun:test'
import { WorkLimit } from '../../../workers/pool/work-limit.ts'

/** Lets everything run that can. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 1))

function line(max: number) {
  const limit = new WorkLimit(max)
  const entered: string[] = []
  const leaves = new Map<string, () => void>()
  const enter = (name: string, weight: number) =>
    void limit.enter(weight).then((leave) => {
      entered.push(name)
      leaves.set(name, leave)
    })
  return { entered, enter, leave: (name: string) => leaves.get(name)?.() }
}

test('as much as there is room for goes in, the rest waits in line', async () => {
  const { entered, enter, leave } = line(10)
  for (const [name, weight] of [
    ['a', 6],
    ['b', 4],
    ['c', 6],
    ['d', 1],
  ] as const) {
    enter(name, weight)
  }
  await settle()
  expect(entered).toEqual(['a', 'b'])
  leave('b')
  await settle()
  expect(entered).toEqual(['a', 'b'])
  leave('a')
  await settle()
  expect(entered).toEqual(['a', 'b', 'c', 'd'])
})

test('leaving twice makes no more room than once', async () => {
  const { entered, enter, leave } = line(10)
  for (const name of ['a', 'b', 'c', 'd']) enter(name, 5)
  await settle()
  leave('a')
  leave('a')
  await settle()
  expect(entered).toEqual(['a', 'b', 'c'])
})

test('work that is larger than the limit goes in alone', async () => {
  const { entered, enter, leave } = line(10)
  enter('a', 1)
  enter('huge', 99)
  enter('b', 1)
  await settle()
  expect(entered).toEqual(['a'])
  leave('a')
  await settle()
  expect(entered).toEqual(['a', 'huge'])
  leave('huge')
  await settle()
  expect(entered).toEqual(['a', 'huge', 'b'])
})

test('weights that are fractions leave nothing behind', async () => {
  const { entered, enter, leave } = line(1)
  for (const [name, weight] of [
    ['a', 0.1],
    ['b', 0.2],
  ] as const) {
    enter(name, weight)
  }
  await settle()
  leave('a')
  leave('b')
  enter('whole', 1)
  await settle()
  expect(entered).toEqual(['a', 'b', 'whole'])
})
