// Tests whether the services of a store answer, and since when they do not, on a clock that is set by hand.

import { afterEach, expect, spyOn, test } from 'bun:test'
import { EngineProbe } from './engine-probe.ts'

let elapsedMs = 0
const clock = spyOn(performance, 'now')
afterEach(() => clock.mockRestore())

test('each service is queried once a second, and has been down since its first failure', async () => {
  clock.mockImplementation(() => elapsedMs)
  const probed: string[] = []
  let isUp = false
  let nowMs = 70
  const engine = (name: 'objects' | 'catalogue', answers: () => boolean) => ({
    name,
    ask: async () => {
      probed.push(name)
      elapsedMs += 5
      if (!answers()) throw new Error('away')
    },
  })
  const probe = new EngineProbe([engine('objects', () => isUp), engine('catalogue', () => true)], () => nowMs++)
  const down = { name: 'objects', isUp: false, answerMs: null, downSinceMs: 70 } as const
  const up = { name: 'catalogue', isUp: true, answerMs: 5, downSinceMs: null } as const
  expect(await probe.states()).toEqual([down, up])
  elapsedMs = 999
  expect(await probe.states()).toEqual([down, up])
  expect(probed).toEqual(['objects', 'catalogue'])
  elapsedMs = 1_000
  expect(await probe.states()).toEqual([down, up])
  expect(probed.length).toBe(4)
  isUp = true
  elapsedMs += 1_000
  expect(await probe.states()).toMatchObject([{ isUp: true, downSinceMs: null }, up])
  isUp = false
  elapsedMs += 1_000
  expect(await probe.states()).toMatchObject([{ isUp: false, downSinceMs: 71 }, up])
})
