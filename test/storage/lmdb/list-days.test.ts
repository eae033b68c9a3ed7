// Goal: whatever page of the index is damaged, verify lists every day that anything sound still tells of, and says of each
// market day and market below the page that it is damaged, and of no other.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkPages } from '../../../storage/lmdb/check-pages.ts'
import { storeFile } from '../../../storage/lmdb/environment.ts'
import { openStore } from '../../../storage/open-store.ts'
import { verifyStore } from '../../../workers/verify/verify-store.ts'
import { DAY, kalshiDelta, kalshiSnapshot, NOON, TICKER } from '../../model/lines.ts'
import { temporaryFolder } from '../../support/server.ts'
import { withStore } from '../../support/store.ts'

const PAGE = 4_096
const COPIES_MAX = 3
const [BRANCH, LEAF] = [1, 2]
const DAY_MS = 86_400_000
const DAYS = [DAY, new Date(NOON + DAY_MS).toISOString().slice(0, 10)]
const folder = temporaryFolder()
const sound = join(folder.path, 'sound')
const MARKETS = Array.from({ length: 60 }, (_, number) => `KXM-${String(number).padStart(3, '0')}`)
const KEYS = MARKETS.flatMap((market) => DAYS.map((date) => `${market} ${date}`))

beforeAll(() =>
  withStore(async (store) => {
    const days = [0, DAY_MS].flatMap((ms) => [kalshiSnapshot([['0.4800', '5.00']]), kalshiDelta(ms, '0.4900', '1.00')])
    const lines = days.map((line) => JSON.stringify(line))
    await store.loadLines(
      'c.ndjson',
      MARKETS.flatMap((market) => lines.map((line) => line.replaceAll(TICKER, market))),
    )
    await store.store.flushed()
    cpSync(store.folder, sound, { recursive: true })
  }),
)
afterAll(() => folder[Symbol.dispose]())

/** Copies, a few, in each of which one page of a tree holds nothing any more. */
function* damagedCopies(tree: string, flags: number): Generator<string> {
  const file = readFileSync(storeFile(sound))
  let copies = 0
  for (let page = 2; page < file.length / PAGE && copies < COPIES_MAX; page++) {
    if (file.readUInt16LE(page * PAGE + 18) !== flags) continue
    const data = join(folder.path, `${tree} ${page}`)
    const bytes = Buffer.from(file)
    bytes.fill(0, page * PAGE, (page + 1) * PAGE)
    mkdirSync(join(data, 'store'), { recursive: true })
    writeFileSync(storeFile(data), bytes)
    const { faults } = checkPages(storeFile(data), PAGE, { pages: Number.POSITIVE_INFINITY, readsOverflow: true })
    if (!faults.some((fault) => fault.tree === tree)) continue
    copies++
    yield data
  }
  expect(copies).toBeGreaterThan(0)
}

async function verified(data: string) {
  const store = openStore(data)
  const listed: string[] = []
  const report = verifyStore(store, ({ market, date }) => listed.push(`${market} ${date}`))
  const isRefused = (ask: () => unknown) => {
    try {
      ask()
      return false
    } catch {
      return true
    }
  }
  const refused = {
    heads: KEYS.filter((key) => isRefused(() => store.blocks.head(partitionOf(key)))),
    blocks: KEYS.filter((key) => isRefused(() => store.blocks.block(partitionOf(key), 0))),
    markets: MARKETS.filter((market) => isRefused(() => store.catalogue.market('kalshi', market))),
  }
  await store.close()
  return { listed, report, refused, damaged: report.damage.map(({ market, date }) => `${market} ${date}`) }
}

function partitionOf(key: string) {
  const [market, date] = key.split(' ') as [string, string]
  return { venue: 'kalshi', market, date } as const
}

test.each(['heads', 'blocks'] as const)('all days are listed when a leaf of the %s is damaged', async (tree) => {
  for (const data of damagedCopies(tree, LEAF)) {
    const { listed, damaged, refused } = await verified(data)
    expect(listed).toEqual(KEYS)
    expect(refused[tree].length).toBeGreaterThan(0)
    expect(refused[tree].length).toBeLessThan(KEYS.length)
    expect(damaged).toEqual(refused[tree])
  }
})

test('all days are listed when nothing can be found of the heads', async () => {
  for (const data of damagedCopies('heads', BRANCH)) {
    const { listed, damaged } = await verified(data)
    expect(listed).toEqual(KEYS)
    expect(damaged).toEqual(KEYS)
  }
})

test('the markets are named whose entries lie on a damaged page', async () => {
  for (const data of damagedCopies('markets', LEAF)) {
    const { listed, damaged, refused, report } = await verified(data)
    expect(listed).toEqual(KEYS)
    expect(damaged).toEqual([])
    expect(refused.markets.length).toBeGreaterThan(0)
    const named = report.storeDamage.flatMap(
      (what) => /\(markets\) of kalshi (KXM-\d+) is damaged/.exec(what)?.[1] ?? [],
    )
    expect(named).toEqual(refused.markets)
  }
})
