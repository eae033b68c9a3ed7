// Goal: `imports` lists what was loaded from archives, and `delete --source` removes it, never without confirmation.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { CONDITION, DAY, kalshiDelta, kalshiSnapshot, priceChange, TICKER } from '../../../test/model/lines.ts'
import { LOAD } from '../../../test/support/import/made-loads.ts'
import { runBackbook } from '../../../test/support/programs/program.ts'
import { TestStore } from '../../../test/support/store.ts'

const DAY_MS = 86_400_000
const SOURCE = LOAD.source
const text = (lines: object[]) => lines.map((line) => JSON.stringify(line))
let store: TestStore

beforeEach(async () => {
  store = new TestStore()
  const snapshot = kalshiSnapshot([['0.2000', '5.00']], [['0.3000', '7.00']])
  await store.loadLines('own.ndjson', text([snapshot, kalshiDelta(1_000, '0.4100', '1.00')]))
  const archived = [2_000, 3_000, DAY_MS, DAY_MS + 1].map((ms) => kalshiDelta(ms, '0.4200', '1.00'))
  const change = priceChange(500, { asset_id: '111', price: '0.41', size: '3', side: 'BUY' })
  await store.loadLines('archive.ndjson', text([...archived, change]), SOURCE)
  await store.store.catalogue.putLoads([LOAD])
  await store.store.flushed()
})
afterEach(() => store.close())

const run = (...words: string[]) => runBackbook([words[0]!, '--data', store.folder, ...words.slice(1)])
const dates = async () => {
  store.store.refresh()
  return store.dates('kalshi', TICKER)
}
const loads = async () => (await store.store.catalogue.loads()).length

test('imports lists the details of each file', async () => {
  const { out, exitCode } = await run('imports')
  expect(exitCode).toBe(0)
  expect(out).toContain('SOURCE')
  expect(out).toMatch(/pmxt-v2 +2026-08-10T12\.parquet +10 +8 +CC BY 4\.0 +batch +file .*not finished/)
  const { imports } = JSON.parse((await run('imports', '--json')).out) as { imports: object[] }
  expect(imports).toEqual([
    expect.objectContaining({ source: SOURCE, sha256: LOAD.sha256, is_rebuilt: true, finished_at: null }),
  ])
  expect(imports[0]).not.toContainKey('checkpoint')
})

test('a dry run lists what it would remove, by date, and removes nothing', async () => {
  const { out, exitCode } = await run('delete', '--source', SOURCE, '--dry-run')
  expect(exitCode).toBe(0)
  expect(out).toMatch(/2026-08-10 +2 +3\n2026-08-11 +1 +2\n5 records in 2 markets from pmxt-v2/)
  expect(out).toContain(', and what is stored about 1 file, would be removed')
  expect(await dates()).toEqual([DAY, '2026-08-11'])
  expect(await loads()).toBe(1)
})

test('one day, then the whole source: removes days without other records, and the details of the files', async () => {
  const first = await run('delete', '--source', SOURCE, '--venue', 'kalshi', '--date', DAY, '--yes', '--json')
  expect(JSON.parse(first.out)).toEqual({
    ...{ source: SOURCE, removed: true, markets: 1, records: 2, loads: 0 },
    days: [{ date: DAY, markets: 1, records: 2 }],
  })
  expect(await dates()).toEqual([DAY, '2026-08-11'])
  expect((await store.records('kalshi', TICKER, DAY)).map(({ type }) => type)).toEqual(['snapshot', 'delta'])
  expect(await loads()).toBe(1)
  expect(await run('delete', '--source', SOURCE, '--yes')).toMatchObject({ exitCode: 0 })
  expect(await dates()).toEqual([DAY])
  expect(await store.dates('polymarket', CONDITION)).toEqual([])
  expect(await loads()).toBe(0)
}, 30_000)

test('of one market', async () => {
  const { out } = await run('delete', '--source', SOURCE, '--market', CONDITION, '--yes')
  expect(out).toContain('1 record in 1 market from pmxt-v2 removed')
  expect(await store.dates('polymarket', CONDITION)).toEqual([])
  expect(await dates()).toEqual([DAY, '2026-08-11'])
}, 30_000)

test('requires --yes, a market or a source, and a source that is stored', async () => {
  expect(await run('delete', '--source', SOURCE)).toMatchObject({ exitCode: 2, out: '' })
  expect(await run('delete', '--yes')).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('delete needs --market or --source'),
  })
  expect(await run('delete', '--source', SOURCE, '--keep-metadata', '--yes')).toMatchObject({ exitCode: 2 })
  expect(await run('delete', '--source', 'ag6', '--yes')).toMatchObject({
    exitCode: 3,
    err: 'backbook: nothing is stored of the source "ag6": imported sources: pmxt-v2\n',
  })
  expect(await dates()).toEqual([DAY, '2026-08-11'])
}, 30_000)
