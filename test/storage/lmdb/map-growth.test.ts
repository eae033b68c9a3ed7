// Goal: the size of the store's map needs no setting. A process continues to read after another process has written
// more than its map holds, and so do the threads of a server.

import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import { blockPart } from '../../../storage/block-store.ts'
import { inFolder, openStore } from '../../../storage/open-store.ts'
import { createWorkers } from '../../../workers/pool/pool.ts'
import { pageTask } from '../../../workers/tasks/page.ts'
import { putMarkets } from '../../support/made-markets.ts'
import { temporaryFolder } from '../../support/server.ts'

const ROOT = join(import.meta.dir, '../../..')
const DATE = '2026-08-10'
const WRITER = `
  import { openStore } from '${ROOT}/storage/open-store.ts'
  import { putMarkets } from '${ROOT}/test/support/made-markets.ts'
  const [folder, from, to] = process.argv.slice(1)
  const store = openStore(folder)
  for (let n = Number(from); n < Number(to); n++) await putMarkets(store, ['KX' + n], 1_000_000, ['${DATE}'])
  await store.close()
`

const writeElsewhere = (folder: string, from: number, to: number) =>
  Bun.spawn([process.execPath, '-e', WRITER, folder, String(from), String(to)], { stderr: 'inherit' }).exited

const mapBytes = (folder: string) => {
  const root = open({ path: join(folder, 'store'), encoding: 'binary', maxDbs: 12, readOnly: true })
  const { mapSize } = root.getStats() as { mapSize: number }
  return { mapSize, close: () => root.close() }
}

test('a reader follows a file that another process makes a hundred times larger than its map', async () => {
  using folder = temporaryFolder()
  const store = openStore(folder.path, { mapBytes: 1 << 20 })
  expect(await store.catalogue.lastRecordMs('kalshi')).toBeNull()
  const before = mapBytes(folder.path)
  expect(before.mapSize).toBeLessThan(2 << 20)
  await before.close()
  for (let round = 0; round < 3; round++) {
    expect(await writeElsewhere(folder.path, round * 12, round * 12 + 12)).toBe(0)
    store.refresh()
    for (let n = 0; n < round * 12 + 12; n++) {
      const key = { venue: 'kalshi', market: `KX${n}`, date: DATE } as const
      const parts = await store.blocks.fetch([{ key, ...blockPart(1) }])
      expect(parts.bytes(key, blockPart(1))).toHaveLength(1_000_000)
    }
  }
  expect(statSync(join(folder.path, 'store', 'data.mdb')).size).toBeGreaterThan(36_000_000)
  await store.close()
})

test('the threads of a server follow it too, and this process may write after the other', async () => {
  using folder = temporaryFolder()
  const store = openStore(folder.path)
  const workers = createWorkers({ place: inFolder(folder.path), threads: 2, queueMax: 100 })
  const page = (n: number) =>
    workers
      .ask(pageTask, { venue: 'kalshi', market: `KX${n}`, book: null, limit: 1, scope: { date: DATE, offset: 0 } })
      .then(({ totalCount }) => totalCount)
  expect(await Promise.allSettled([page(0), page(1)])).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
  expect(await writeElsewhere(folder.path, 0, 20)).toBe(0)
  expect(await Promise.all(Array.from({ length: 20 }, (_, n) => page(n)))).toEqual(new Array(20).fill(0))
  await putMarkets(store, ['KX20'], 30_000_000, [DATE])
  expect(await writeElsewhere(folder.path, 21, 25)).toBe(0)
  store.refresh()
  expect((await store.catalogue.markets('kalshi', { prefix: 'KX', offset: 0, limit: 1 })).totalCount).toBe(25)
  expect(await page(24)).toBe(0)
  await workers.close()
  await store.close()
})
