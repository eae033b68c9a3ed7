// A thread is stuck if it has tasks and sends no beat during a number of checks.

import { expect, test } from 'bun:test'
import { Pulse, PulseWatch, pulseMemory } from './pulse.ts'

const never = () => new Promise<void>(() => undefined)

test('reports a thread that is stuck in a task', () => {
  const memory = pulseMemory(2)
  const watch = new PulseWatch(memory, 2)
  void new Pulse(memory, 7).during(never)
  expect([watch.check(), watch.check(), watch.check()]).toEqual([[], [], [7]])
})

test('not one without a task, or one that begins others', async () => {
  const memory = pulseMemory(2)
  const watch = new PulseWatch(memory, 2)
  const [idle, busy] = [new Pulse(memory, 1), new Pulse(memory, 2)]
  void busy.during(never)
  const looks: number[][] = []
  for (let i = 0; i < 6; i++) {
    await busy.during(async () => undefined)
    looks.push(watch.check())
  }
  expect(looks.flat()).toEqual([])
  await expect(idle.during(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  for (let i = 0; i < 2; i++) looks.push(watch.check())
  expect(looks.flat()).toEqual([2])
})

test('a thread that ended leaves its place to another', () => {
  const memory = pulseMemory(0)
  const watch = new PulseWatch(memory, 1)
  for (const id of [1, 2, 3]) void new Pulse(memory, id).during(never)
  const stuck = () => [watch.check(), watch.check()].at(-1)!
  expect(stuck()).toEqual([1, 2])
  watch.forget(1)
  void new Pulse(memory, 4).during(never)
  expect(stuck().sort()).toEqual([2, 4])
})
