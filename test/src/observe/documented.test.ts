// docs/monitoring.md and the example alerts name every metric and every field of the status, and no metric that does
// not exist.

import { expect, test } from 'bun:test'
import { TaskStats } from '../../../src/observe/stats/task-stats.ts'
import { count, RecorderStats } from '../../../src/record/status/recorder-stats.ts'
import { statusOf } from '../../../src/record/status/recorder-status.ts'
import { NodeCounters } from '../../../storage/cluster/node-counters.ts'
import { VENUES } from '../../../storage/venue.ts'
import { Metrics } from '../../support/metrics-text.ts'
import { ask, CONDITION, fakeCatalogue, testApp } from '../../support/server.ts'

const read = (path: string) => Bun.file(new URL(`../../../${path}`, import.meta.url)).text()
const store = {
  kind: 'file' as const,
  fileBytes: 9,
  usedBytes: 5,
  freeBytes: 4,
  mapBytes: 10,
  readers: 1,
  readersMax: 256,
}
const stats = new RecorderStats(0)
stats.addLag(1)
for (const venue of Object.values(stats.venues)) {
  Object.assign(venue, { lastFrameMs: 0, lastDataMs: 0 })
  venue.messageAge.add(1, 1)
  for (const counts of [venue.reconnects, venue.gaps, venue.unknown, venue.contradictions]) count(counts, 'any')
}
const moment = { nowMs: 1, pid: 1, version: '0', recorderId: 'a', venues: VENUES, diskFreeBytes: 1, before: null }
const status = statusOf(stats, { ...moment, state: 'recording' })
const clusterStore = {
  ...{ kind: 'cluster' as const, segments: 4, segmentBytes: 40, daysToCompact: 1, segmentsToSweep: 2 },
  ...{ isNotified: true, node: new NodeCounters().counts() },
}
const appOf = (stored: typeof store | typeof clusterStore) =>
  testApp({
    catalogue: fakeCatalogue({ lastRecordMs: () => 1 }),
    observe: {
      tasks: new TaskStats(),
      storeStats: async () => ({ ...stored, markets: 1, partitions: 2, blocks: 3 }),
      diskStats: () => ({ bytes: 2, freeBytes: 1 }),
      descriptors: () => ({ isShort: false, open: 9, limit: 64 }),
      pendingRequests: () => 1,
      recorder: () => ({ state: 'recording', ageMs: 1, status }),
    },
  })
/** Apps with a store in a folder and with a cluster store. */
const apps = [appOf(store), appOf(clusterStore)]
const texts = await Promise.all(
  apps.map(async (app) => {
    await ask(app, `/polymarket/market/data?condition_id=${CONDITION}&date=2026-08-10`)
    return (await ask(app, '/metrics')).text
  }),
)
const each = texts.map((text) => new Metrics(text))
const metrics = {
  types: new Map(each.flatMap(({ types }) => [...types])),
  samples: each.flatMap(({ samples }) => samples),
}

test('every metric is in the table with its type and labels, and no other is', async () => {
  const rows = (await read('docs/monitoring.md')).matchAll(
    /^\| `((?:backbook|process)_\w+)` \| (\w+) \| ([\w, ]*) ?\|/gm,
  )
  const documented = Array.from(rows, ([, name, type, labels]) => `${name} ${type} ${labels!.trim()}`)
  const given = Array.from(metrics.types, ([name, type]) => {
    const sample = metrics.samples.find((each) => each.name === name || each.name === `${name}_count`)
    return `${name} ${type} ${Object.keys(sample!.labels).join(', ')}`
  })
  expect(documented.sort()).toEqual(given.sort())
})

test('the queries of the documentation and the alerts name metrics that exist', async () => {
  const names = new Set(metrics.samples.map(({ name }) => name))
  for (const path of ['docs/monitoring.md', 'deploy/prometheus-alerts.yml']) {
    const used = (await read(path)).match(/\bbackbook_[a-z_]+(?=[{[ ]| ?>)/g) ?? []
    expect(used.length).toBeGreaterThan(3)
    expect(used.filter((name) => !names.has(name) && !metrics.types.has(name))).toEqual([])
  }
})

test('the alerts of a cluster name metrics that exist', async () => {
  const used = new Set((await read('deploy/cluster/prometheus-alerts.yml')).match(/\bbackbook_[a-z_]+/g))
  expect(used.size).toBeGreaterThan(1)
  expect([...used].filter((name) => !metrics.types.has(name))).toEqual([])
})

test('every field of the status is in the documentation', async () => {
  const text = await read('docs/monitoring.md')
  const statuses = await Promise.all(apps.map((app) => ask(app, '/monitoring/status')))
  const components = statuses.flatMap(({ body }) => (body as { components: { figures: object }[] }).components)
  const stats = components.flatMap((component) => Object.keys(component.figures))
  expect(stats.length).toBeGreaterThan(20)
  expect(stats.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})
