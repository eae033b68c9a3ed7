// Tests /ready: 200 if the server accepts requests, otherwise the reason.

import { expect, test } from 'bun:test'
import type { Engine } from '../../storage/maintenance.ts'
import { ask, fakeCatalogue, testApp } from '../../test/support/server.ts'
import { EngineProbe } from '../observe/stats/engine-probe.ts'

const answers = async () => undefined
const fails = () => Promise.reject(new Error('away'))
const engines = (catalogue: Engine['ask'], objects: Engine['ask']): Engine[] => [
  { name: 'catalogue', ask: catalogue },
  { name: 'objects', ask: objects },
]
const appOn = (on: Engine[], nowMs = () => 0) => {
  const probe = new EngineProbe(on, nowMs)
  return testApp({ observe: { engines: () => probe.states() } })
}
const ready = async (app: ReturnType<typeof testApp>) => {
  const { status, body, headers } = await ask(app, '/ready', { headers: {} })
  return [status, (body as { code?: string; status?: unknown }).code ?? body, headers.get('retry-after')]
}

test('a server that answers is ready', async () => {
  expect(await ready(testApp())).toEqual([200, { status: 'ready' }, null])
  expect(await ready(appOn(engines(answers, answers)))).toEqual([200, { status: 'ready' }, null])
})

test.each([
  [engines(fails, answers), 'store_unavailable'],
  [engines(answers, fails), 'blocks_unavailable'],
  [engines(fails, fails), 'store_unavailable'],
])('an engine of the store has not answered yet: %#', async (on, code) =>
  expect(await ready(appOn(on))).toEqual([503, code, '1']),
)

test('a node that was ready stays so while an engine is away: its caches answer', async () => {
  let isAway = false
  const app = appOn(
    engines(answers, () => (isAway ? fails() : answers())),
    () => performance.now(),
  )
  expect(await ready(app)).toEqual([200, { status: 'ready' }, null])
  isAway = true
  expect(await ready(app)).toEqual([200, { status: 'ready' }, null])
})

test('one that is stopping is healthy, and not ready', async () => {
  let isDraining = false
  const app = testApp({ isDraining: () => isDraining })
  expect(await ready(app)).toEqual([200, { status: 'ready' }, null])
  isDraining = true
  expect(await ready(app)).toEqual([503, 'overloaded', '1'])
  expect((await ask(app, '/health', { headers: {} })).status).toBe(200)
})

test('a store in a folder, which has no engines, is ready while it can be read', async () => {
  let isAway = false
  const catalogue = fakeCatalogue({ lastRecordMs: () => (isAway ? fails() : Promise.resolve(null)) })
  const app = testApp({ catalogue, observe: { engines: async () => [] } })
  expect(await ready(app)).toEqual([200, { status: 'ready' }, null])
  isAway = true
  expect(await ready(app)).toEqual([503, 'store_unavailable', '1'])
})

test('the status page says since when an engine does not answer', async () => {
  const app = appOn(engines(answers, fails), () => 1_234)
  const { body } = await ask(app, '/monitoring/status', { headers: {} })
  const { components } = body as { components: { name: string; status: string; figures: object }[] }
  const ofEngines = components.filter(({ name }) => name === 'catalogue' || name === 'objects')
  expect(ofEngines).toEqual([
    { name: 'catalogue', status: 'ok', figures: { answer_ms: expect.any(Number), down_since: null } },
    { name: 'objects', status: 'down', figures: { answer_ms: null, down_since: 1_234 } },
  ])
})
