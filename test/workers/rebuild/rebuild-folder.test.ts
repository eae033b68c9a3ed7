// Goal: whatever is damaged of a store's index, its blocks make the same store again.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { blockPart } from '../../../storage/block-store.ts'
import { decodeBlock } from '../../../storage/format/block.ts'
import { openStore, type Store } from '../../../storage/open-store.ts'
import { VENUES } from '../../../storage/venue.ts'
import { decodeWholeBlock } from '../../../workers/block/decoded-block.ts'
import { ByteWriter } from '../../../workers/bytes/byte-writer.ts'
import { MarketPlan } from '../../../workers/partition/market-plan.ts'
import { rebuildFolder } from '../../../workers/rebuild/rebuild-folder.ts'
import { RecordWriter } from '../../../workers/table/record-writer.ts'
import { summaryTask } from '../../../workers/tasks/summary.ts'
import { verifyStore } from '../../../workers/verify/verify-store.ts'
import { kalshiDelta } from '../../model/lines.ts'
import { ASSETS, CONDITION, commandStore, DAY, DAY_AFTER, TICKER } from '../../support/command-store.ts'
import { runBackbook } from '../../support/programs/program.ts'
import { dateRequest, TestStore } from '../../support/store.ts'

const ROOT = join(import.meta.dir, '../../..')
const PAGE = 4_096
const folder = mkdtempSync(join(tmpdir(), 'backbook-rebuild-'))
const large = join(folder, 'large')
const small = join(folder, 'small')
const [LEAF, BRANCH, OVERFLOW] = [2, 1, 4]
const file = (data: string) => join(data, 'store/data.mdb')
const nothing = () => {}

/** What a store answers: records by market day, and summaries. */
async function contentOf(data: string): Promise<unknown> {
  const store = openStore(data)
  try {
    const days: Record<string, unknown> = {}
    for (const venue of VENUES) {
      for await (const key of store.catalogue.partitions(venue)) {
        const head = (await store.catalogue.head(key))!
        const { recordCount, tradeCount, books, gaps } = head
        days[Object.values(key).join(' ')] = [recordCount, tradeCount, books, gaps, await digestOf(store, key)]
      }
    }
    const { damage, storeDamage } = await verifyStore(store)
    const summaries = [
      await summaryOf(store, 'kalshi', TICKER, TICKER, DAY),
      await summaryOf(store, 'polymarket', CONDITION, ASSETS[0], DAY),
    ]
    const markets = await store.catalogue.market('kalshi', TICKER)
    const { firstDate, lastDate, dateCount } = markets!
    return { days, damage, storeDamage, summaries, dates: [firstDate, lastDate, dateCount] }
  } finally {
    await store.close()
  }
}

async function digestOf(store: Store, key: Parameters<Store['catalogue']['head']>[0]): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  const parts = await store.blocks.fetch([])
  const writer = new ByteWriter(4_096)
  for (const { id } of (await store.catalogue.head(key))!.blocks) {
    const block = decodeWholeBlock(decodeBlock(parts.bytes(key, blockPart(id))))
    const records = new RecordWriter(key.venue, key.market, block)
    for (let record = 0; record < block.recordCount; record++) {
      writer.length = 0
      records.write(writer, record)
      hasher.update(writer.bytes.subarray(0, writer.length))
    }
  }
  return hasher.digest('hex')
}

async function summaryOf(store: Store, venue: (typeof VENUES)[number], market: string, book: string, date: string) {
  const request = { ...dateRequest(venue, market, book, date, 60), nowMs: Date.parse('2026-11-01') }
  const { chunks } = await summaryTask.answer(store, request)
  const parts: Uint8Array[] = []
  for (let next = chunks.next(); !next.done; next = chunks.next()) parts.push(next.value)
  return Buffer.concat(parts).toString()
}

let before: unknown

/** Many small appends, that were joined, and a capture that was merged with the first ones. */
async function growSmall(): Promise<void> {
  const store = new TestStore(openStore)
  const lines = Array.from({ length: 1_200 }, (_, i) =>
    JSON.stringify({ ...kalshiDelta(i * 7, `0.${10 + (i % 80)}00`, '1.00'), seq: i }),
  )
  for (let at = 0; at < lines.length; at += 20) await store.loadLines('a.ndjson', lines.slice(at, at + 18))
  await store.loadLines('b.ndjson', lines.slice(100, 300))
  await store.loadLines('c.ndjson', [JSON.stringify(kalshiDelta(86_400_000, '0.5000', '1.00'))])
  const polymarket = { event_type: 'book', market: CONDITION, asset_id: ASSETS[0], bids: [], asks: [] }
  await store.loadLines('p.ndjson', [JSON.stringify({ ...polymarket, timestamp: String(Date.parse(DAY)) })])
  await store.store.catalogue.putSlugs({ events: [{ event: { slug: 'a', title: 'A' }, markets: [] }], markets: [] })
  await store.store.close()
  cpSync(join(store.folder, 'store'), join(small, 'store'), { recursive: true })
  rmSync(store.folder, { recursive: true })
}

beforeAll(async () => {
  const store = await commandStore()
  await store.store.close()
  cpSync(join(store.folder, 'store'), join(large, 'store'), { recursive: true })
  rmSync(store.folder, { recursive: true })
  before = await contentOf(large)
  await growSmall()
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let copies = 0
/** A copy of a store in which pages are changed. */
function damaged(source: string, change: (page: Buffer, flags: number, number: number) => void): string {
  const data = join(folder, `damaged-${copies++}`)
  mkdirSync(join(data, 'store'), { recursive: true })
  const bytes = readFileSync(file(source))
  for (let page = 0; page < bytes.length / PAGE; page++) {
    const each = bytes.subarray(page * PAGE, (page + 1) * PAGE)
    change(each, each.readUInt16LE(18), page)
  }
  writeFileSync(file(data), bytes)
  return data
}

const WOUNDS: [string, (page: Buffer, flags: number, number: number) => void][] = [
  ['nothing', () => {}],
  ['the beginnings', (page, _, number) => void (number < 2 && page.fill(0))],
  ['the headers of all leaves', (page, flags) => void (flags === LEAF && page.fill(0, 0, 24))],
  ['every branch', (page, flags) => void (flags === BRANCH && page.fill(0))],
  ['leaves without blocks', (page, flags) => void (flags === LEAF && !page.includes('BKBK') && page.fill(0))],
  ['the headers of blocks', (page, flags) => void (flags === OVERFLOW && page.fill(0, 0, 24))],
]

describe.each([
  ['a large store', large],
  ['a store that grew by small appends', small],
])('%s with damage of', (_, source) => {
  test.each(WOUNDS)('%s has the same records and answers again', async (name, wound) => {
    const expected = source === large ? before : await contentOf(small)
    const data = damaged(source, wound)
    const damage = readFileSync(file(data))
    const { keptAs, unsure } = await rebuildFolder(data, nothing)
    expect(await contentOf(data)).toEqual(expected as object)
    if (name === 'nothing') expect(unsure).toEqual([])
    expect(readFileSync(join(keptAs, 'store/data.mdb')).equals(damage)).toBe(true)
    expect(readdirSync(data).length).toBe(2)
  })
})

test('slugs and a removed day are as before where the index still says them', async () => {
  const data = damaged(small, () => {})
  const store = openStore(data)
  const plan = await MarketPlan.begin(store, 'kalshi', TICKER)
  await plan.remove({ venue: 'kalshi', market: TICKER, date: DAY_AFTER })
  expect(await store.catalogue.commit([plan.change()])).toEqual([])
  await store.close()
  await rebuildFolder(data, nothing)
  const rebuilt = openStore(data)
  expect((await rebuilt.catalogue.heads('kalshi', TICKER)).map(({ date }) => date)).toEqual([DAY])
  expect((await rebuilt.catalogue.slug('a'))?.event?.title).toBe('A')
  await rebuilt.close()
})

test('a block that is lost is reported, and the rest is kept', async () => {
  const sound = openStore(large)
  const { id } = (await sound.catalogue.head({ venue: 'kalshi', market: TICKER, date: DAY }))!.blocks[3]!
  await sound.close()
  const name = JSON.stringify(['kalshi', TICKER, DAY, id])
  const data = damaged(large, (page) => {
    // Copies of it may lie in free pages.
    for (let at = page.indexOf(name); at >= 0; at = page.indexOf(name, at + 1)) page.fill(0, at + 100, at + 130)
  })
  const { out, exitCode } = await runBackbook(['rebuild', '--data', data])
  expect(out).toMatch(/\nnot certain: kalshi KXTEST-1 2026-08-10: [\d,]+ records found, it had 120,001\n/)
  expect(exitCode).toBe(0)
  const store = openStore(data)
  expect(await verifyStore(store)).toMatchObject({ damage: [], storeDamage: [] })
  await store.close()
})

const HOLD = `
  import { openStore } from '${ROOT}/storage/open-store.ts'
  await openStore(process.argv[1]).catalogue.market('kalshi', 'a')
  console.log('open')
  setInterval(() => {}, 1_000)
`

test('is refused while another process has the store open, and where there is no block', async () => {
  const data = damaged(small, () => {})
  const holder = Bun.spawn([process.execPath, '-e', HOLD, data], { stdout: 'pipe' })
  for await (const _ of holder.stdout) break
  const message = expect.stringContaining(`while it is used, by process ${holder.pid}: stop`)
  await expect(rebuildFolder(data, nothing)).rejects.toMatchObject({ code: 'store_unavailable', message })
  holder.kill()
  await holder.exited
  await rebuildFolder(data, nothing)
  const old = damaged(small, () => {})
  writeFileSync(file(old), gunzipSync(readFileSync(join(ROOT, 'test/fixtures/store-format-2/data.mdb.gz'))))
  await expect(rebuildFolder(old, nothing)).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(readdirSync(old)).toEqual(['store'])
})
