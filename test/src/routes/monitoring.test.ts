// /monitoring/status: states, and who sees figures.

import { expect, test } from 'bun:test'
import type { AppDependencies } from '../../../src/app.ts'
import { ask, fakeAccounts, fakeCatalogue, fakeWorkers, NO_TOKENS, testApp } from '../../support/server.ts'

type Status = { status: string; components: { name: string; status: string; figures?: Record<string, unknown> }[] }

async function statusOf(changes: Partial<AppDependencies>, headers: Record<string, string> = {}): Promise<Status> {
  return (await ask(testApp(changes), '/monitoring/status', { headers })).body as Status
}
const states = ({ status, components }: Status) => [status, ...components.map((each) => `${each.name} ${each.status}`)]

test('each component has its figures', async () => {
  const lastMs = Date.UTC(2026, 7, 12, 11)
  const catalogue = fakeCatalogue({ lastRecordMs: (venue) => (venue === 'kalshi' ? lastMs : null) })
  const status = await statusOf({ catalogue })
  expect(states(status)).toEqual([
    'ok',
    'storage ok',
    'workers ok',
    'accounts ok',
    'ingestion_polymarket idle',
    'ingestion_kalshi ok',
  ])
  expect(status.components.at(-1)?.figures).toEqual({ last_record_timestamp: lastMs, age_seconds: 3600 })
  expect(status.components[1]?.figures).toEqual({ threads: 2, running: 0, queued: 0, completed: 0 })
})

test('accounts that do not answer are a degraded service', async () => {
  const accounts = { ...fakeAccounts, check: () => Promise.reject(new Error('gone')) }
  expect(states(await statusOf({ accounts })).slice(0, 4)).toEqual([
    'degraded',
    'storage ok',
    'workers ok',
    'accounts down',
  ])
})

test('a store that cannot be read is a service that is down', async () => {
  const catalogue = fakeCatalogue({
    lastRecordMs: () => {
      throw new Error('gone')
    },
  })
  expect(states(await statusOf({ catalogue })).slice(0, 2)).toEqual(['down', 'storage down'])
})

test('a queue behind busy workers is a degraded service', async () => {
  const workers = { ...fakeWorkers(), figures: () => ({ threads: 2, running: 2, queued: 5, completed: 9 }) }
  expect(states(await statusOf({ workers })).slice(0, 3)).toEqual(['degraded', 'storage ok', 'workers degraded'])
})

test('with a token set, only its holder sees figures', async () => {
  const config = { ...NO_TOKENS, monitoringToken: 'the-monitoring-token' }
  const seen = async (headers: Record<string, string>) =>
    (await statusOf({ config }, headers)).components.filter(({ figures }) => figures !== undefined).length
  expect(await seen({})).toBe(0)
  expect(await seen({ 'x-monitoring-token': 'wrong' })).toBe(0)
  expect(await seen({ 'x-monitoring-token': 'the-monitoring-token' })).toBe(5)
})
