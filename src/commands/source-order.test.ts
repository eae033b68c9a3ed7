// The setting `sources` decides which archive a date shows, for stored dates and for new ones.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY, kalshiDelta, kalshiSnapshot, NOON, received, TICKER } from '../../test/model/lines.ts'
import { kalshiFill } from '../../test/model/questions/made-lines.ts'
import { runBackbook } from '../../test/support/programs/program.ts'
import { TestStore } from '../../test/support/store.ts'

const DAY_MS = 86_400_000
const NEXT = new Date(NOON + DAY_MS).toISOString().slice(0, 10)
let store: TestStore
let capture: string

/** Lines of the recorder, without a trade. */
const OWN = [received(0, kalshiSnapshot([['0.1000', '5.00']])), kalshiDelta(1_000, '0.1000', '1.00')]
const archived = (name: string, price: string, atMs: number) => [
  received(atMs, kalshiSnapshot([[price, '5.00']])),
  kalshiDelta(atMs + 500, price, '1.00'),
  kalshiFill(atMs + 600, price, '2.00', 'yes', `${name}-${atMs}`),
  kalshiDelta(atMs + 60_000, price, '1.00'),
]

const load = (name: string, lines: object[], source?: string) =>
  store.loadLines(
    name,
    lines.map((line) => JSON.stringify(line)),
    source,
  )

async function loadArchives(atMs: number): Promise<void> {
  await load(`beta-${atMs}`, archived('beta', '0.3000', atMs), 'beta')
  await load(`alpha-${atMs}`, archived('alpha', '0.2000', atMs), 'alpha')
  await store.store.flushed()
}

beforeEach(async () => {
  capture = join(mkdtempSync(join(tmpdir(), 'backbook-')), 'own.ndjson')
  writeFileSync(capture, `${JSON.stringify(OWN[1])}\n`)
  store = new TestStore()
  await load('own', OWN)
  await loadArchives(0)
})
afterEach(async () => {
  await store.close()
  rmSync(join(capture, '..'), { recursive: true })
})

/** Loads a record that is already stored, so that only the order changes. */
const ingest = (...words: string[]) => runBackbook(['ingest', '--data', store.folder, ...words, capture])
const firstTrade = async () => {
  const options = ['--data', store.folder, '--venue', 'kalshi', '--market', TICKER, '--date', DAY, '--json']
  return JSON.parse((await runBackbook(['trades', ...options])).out).data[0]
}

async function spansOf(date: string): Promise<(string | null)[]> {
  store.store.refresh()
  const head = await store.store.catalogue.head({ venue: 'kalshi', market: TICKER, date })
  return head!.spans!.map(([source]) => source)
}

test('dates show archives in the configured order, and take missing trades in the same order', async () => {
  expect(await spansOf(DAY)).toEqual([null, 'alpha'])
  expect(await firstTrade()).toMatchObject({ trade_id: 'alpha-0', record: null })

  const ended = await ingest('--sources', 'beta,alpha')
  expect(ended.err).toContain('dates show archives in the order of sources: beta, alpha')
  expect(await spansOf(DAY)).toEqual([null, 'beta'])
  expect(await firstTrade()).toMatchObject({ trade_id: 'beta-0', record: null })
  expect((await runBackbook(['verify', '--data', store.folder])).exitCode).toBe(0)

  // Newly loaded archives follow the order, whichever command loads them, and no date is processed again.
  await loadArchives(DAY_MS)
  expect(await spansOf(NEXT)).toEqual(['beta'])
  for (const words of [[], ['--sources', 'beta,alpha']]) {
    expect((await ingest(...words)).err).not.toContain('dates show')
    expect(await spansOf(DAY)).toEqual([null, 'beta'])
  }

  expect((await ingest('--sources', '*')).err).toContain('order of sources: by agreement')
  expect(await spansOf(DAY)).toEqual([null, 'alpha'])
  expect(await spansOf(NEXT)).toEqual(['alpha'])
}, 60_000)

test('the next command resumes a stopped change of the order', async () => {
  await store.store.catalogue.putSourceOrder({ archives: ['beta'], isShown: false })
  await store.store.flushed()
  expect(await spansOf(DAY)).toEqual([null, 'alpha'])
  expect((await runBackbook(['verify', '--data', store.folder])).out).toContain(
    'its layers are not in the order of sources',
  )
  expect((await ingest('--sources', 'beta')).err).toContain('order of sources: beta')
  expect(await spansOf(DAY)).toEqual([null, 'beta'])
}, 60_000)
