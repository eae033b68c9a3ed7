// Goal: the index of a store that is open is checked in parts, which together see all of it and take no writer's work for
// damage; what they find damaged is refused by name from then on, and nothing of it is asked of LMDB.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, ftruncateSync, openSync, readFileSync, renameSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { checkPages } from '../../../storage/lmdb/check-pages.ts'
import { storeFile } from '../../../storage/lmdb/environment.ts'
import { readStoreMeta } from '../../../storage/lmdb/store-file.ts'
import { openStore, type Store } from '../../../storage/open-store.ts'
import { DATE, HEAD, nameOf, putMarkets, slugOf } from '../../support/made-markets.ts'
import { temporaryFolder } from '../../support/server.ts'

const PAGE = 4_096
const PART = 64
const MARKETS = 3_000
const folder = temporaryFolder()
const sound = join(folder.path, 'sound')

const put = (store: Store, from: number, count: number) => putMarkets(store, from, count, 100)

function putSlugs({ blocks }: Store, from: number, count: number): void {
  const slugs = Array.from({ length: count }, (_, i) => slugOf(from + i))
  blocks.putSlugs({ events: slugs.map((slug) => ({ event: { slug, title: slug }, markets: [] })), markets: [] })
}

/** Before the last slugs were stored. */
let older: Buffer

beforeAll(async () => {
  const store = openStore(sound)
  put(store, 0, MARKETS)
  putSlugs(store, 0, 100)
  await store.flushed()
  older = readFileSync(storeFile(sound))
  putSlugs(store, 100, 1)
  await store.close()
})
afterAll(() => folder[Symbol.dispose]())

function copied(name: string): string {
  const data = join(folder.path, name)
  cpSync(sound, data, { recursive: true })
  return data
}

/** From the beginning to the end. */
function checkAll(store: Store): { faults: string[]; pages: number; parts: number } {
  const seen = { faults: [] as string[], pages: 0, parts: 0 }
  let part = store.checkIndex(null, PART)
  for (; ; part = store.checkIndex(part.next, PART)) {
    seen.faults.push(...part.faults.map(({ tree, what }) => `${tree} ${what}`))
    seen.pages += part.pages
    seen.parts++
    if (part.next === null) return seen
  }
}

/** Into the file, as it is mapped by whoever has it open. */
function overwrite(data: string, page: number, bytes: Uint8Array): void {
  writeSync(openSync(storeFile(data), 'r+'), bytes, 0, bytes.length, page * PAGE)
}

/** The page of a tree's leaf that holds a key with this text. */
function leafWith(data: string, tree: string, text: string): { page: number; bytes: Buffer } {
  const file = readFileSync(storeFile(data))
  for (let page = 2; page < file.length / PAGE; page++) {
    const bytes = file.subarray(page * PAGE, (page + 1) * PAGE)
    if (bytes.readUInt16LE(18) !== 2 || !bytes.includes(text)) continue
    const changed = Buffer.from(file)
    changed.fill(0, page * PAGE, (page + 1) * PAGE)
    const path = `${storeFile(data)}.tried`
    overwriteFile(path, changed)
    const { faults } = checkPages(path, PAGE, { pages: Number.POSITIVE_INFINITY, readsOverflow: false })
    if (faults.some((fault) => fault.tree === tree)) return { page, bytes: Buffer.from(bytes) }
  }
  throw new Error(`no leaf of ${tree} holds ${text}`)
}

function overwriteFile(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'w')
  writeSync(file, bytes)
  ftruncateSync(file, bytes.length)
}

function told(ask: () => unknown): unknown {
  try {
    return ask()
  } catch (error) {
    const { code, message } = error as Error & { code: string }
    return `${code}: ${message}`
  }
}

const datesOf = (store: Store, number: number) =>
  told(() => store.catalogue.heads('kalshi', nameOf(number)).map(({ date }) => date))

test('the parts of a sound index see each page of it, and find nothing', async () => {
  const store = openStore(copied('parts'))
  const { pages } = checkPages(storeFile(sound), PAGE, { pages: Number.POSITIVE_INFINITY, readsOverflow: false })
  const seen = checkAll(store)
  expect(seen.faults).toEqual([])
  expect(seen.parts).toBeGreaterThan(3)
  // Each but the first of a tree begins with its roots, the way to its leaf, and the leaf that ended the part before.
  expect(seen.pages).toBeGreaterThanOrEqual(pages)
  expect(seen.pages).toBeLessThan(pages + seen.parts * 5)
  await store.close()
})

describe('a page that is damaged while the store is open', () => {
  test('costs what lies on it from then on, by name, and nothing else', async () => {
    const data = copied('open')
    const store = openStore(data)
    expect(datesOf(store, 1_500)).toEqual([DATE])
    overwrite(data, leafWith(data, 'heads', nameOf(1_500)).page, new Uint8Array(PAGE))
    // Until the check comes by, LMDB walks it; of such a page it only says so.
    const unchecked = told(() =>
      store.blocks.neighbour({ venue: 'kalshi', market: nameOf(1_500), date: DATE }, 'after'),
    )
    expect(unchecked).toMatch(/MDB_CORRUPTED/)
    expect(datesOf(store, 0)).toMatch(/MDB_BAD_TXN/)
    store.renew()
    expect(datesOf(store, 0)).toEqual([DATE])
    expect(datesOf(store, 1_500)).toMatch(/MDB_CORRUPTED/)
    expect(checkAll(store).faults).toEqual(['heads says that it is page 0'])
    store.refresh()
    expect(datesOf(store, 1_500)).toMatch(/^block_corrupt: .*kalshi KX-1500 .*page \d+ of the store's file/)
    for (const number of [0, MARKETS - 1]) expect(datesOf(store, number)).toEqual([DATE])
    expect(store.indexDamage()).toMatch(/data\.mdb is damaged: page \d+ of its heads .*KX-/)
    expect(store.figures().indexFaults).toBe(1)
    expect(() => put(store, MARKETS, 1)).toThrow('It can be read, and not be written to')
    await store.close()
  })

  test('is told when it is one from before, by how many entries there are', async () => {
    const data = copied('older')
    const store = openStore(data)
    const { page } = leafWith(data, 'slugs', slugOf(100))
    const stale = leafWithText(older, slugOf(99))
    // What a disk gives back that has lost a write: sound by itself.
    stale.writeUInt32LE(page, 0)
    overwrite(data, page, stale)
    expect(checkAll(store).faults.join()).toMatch(/slugs has \d+ entries, and should have \d+/)
    store.refresh()
    expect(told(() => store.catalogue.slug(slugOf(100)))).toMatch(/^block_corrupt: /)
    await store.close()
  })
})

function leafWithText(file: Buffer, text: string): Buffer {
  for (let at = 2 * PAGE; at < file.length; at += PAGE) {
    const bytes = file.subarray(at, at + PAGE)
    if (bytes.readUInt16LE(18) === 2 && bytes.includes(text)) return Buffer.from(bytes)
  }
  throw new Error(`no leaf holds ${text}`)
}

test.each([0, 100, 3 * PAGE])('of a file that is cut to %d bytes while it is open, nothing is asked', async (bytes) => {
  const data = copied(`cut ${bytes}`)
  const store = openStore(data)
  expect(datesOf(store, 7)).toEqual([DATE])
  // LMDB's reader ends with this turn: whatever begins another reads what is cut off.
  await new Promise((resolve) => setTimeout(resolve))
  truncateSync(storeFile(data), bytes)
  checkAll(store)
  store.refresh()
  const refusal = /^store_unavailable: .*data\.mdb is damaged: page 0 of its main (was cut|was emptied|is not what)/
  expect(datesOf(store, 7)).toMatch(refusal)
  expect(told(() => store.catalogue.lastRecordMs('kalshi'))).toMatch(refusal)
  expect(told(() => store.figures())).toMatch(refusal)
  expect(told(() => put(store, 1, 1))).toMatch(refusal)
  await store.close()
})

test('what a file that is a little too short has lost is refused by name', async () => {
  const data = copied('short')
  const store = openStore(data)
  // The roots are among the last pages that were written: in free ones further up, after some more.
  const cut = () => readFileSync(storeFile(data)).length - 20 * PAGE
  const key = { venue: 'kalshi', market: nameOf(MARKETS), date: DATE } as const
  const change = { key, before: null, head: HEAD, fromBlock: 0, blocks: [new Uint8Array(40 * PAGE)], states: [] }
  store.blocks.transaction((apply) => apply(change))
  for (let i = 0; i < 100 && !readStoreMeta(storeFile(data))!.rootPages.every((page) => page * PAGE < cut()); i++) {
    putSlugs(store, 0, 1)
    await store.flushed()
  }
  truncateSync(storeFile(data), cut())
  expect(checkAll(store).faults.join()).toContain('is missing')
  store.refresh()
  const answers = Array.from({ length: MARKETS }, (_, number) => String(datesOf(store, number)))
  expect(answers.filter((answer) => answer !== DATE && !/^(block_corrupt|store_unav).*damaged/.test(answer))).toEqual(
    [],
  )
  expect(told(() => store.blocks.block(key, 0))).toMatch(
    /^block_corrupt: .* \(blocks\) of kalshi KX-3000 .* is missing$/,
  )
  await store.close()
})

test('a store that was put in the place of the one that is open is not looked at', async () => {
  const data = copied('replaced')
  const store = openStore(data)
  const other = join(folder.path, 'other.mdb')
  overwriteFile(other, new Uint8Array(10 * PAGE))
  renameSync(other, storeFile(data))
  expect(checkAll(store)).toEqual({ faults: [], pages: 0, parts: 1 })
  expect(datesOf(store, 7)).toEqual([DATE])
  await store.close()
})

test('a writer that is at work makes no faults', async () => {
  const data = copied('written')
  const program = `
    import { openStore } from '${join(import.meta.dir, '../../../storage/open-store.ts')}'
    const store = openStore(process.argv[1])
    console.log('open')
    for (let round = 0; ; round++) {
      store.blocks.transaction((apply) => {
        const key = { venue: 'kalshi', market: 'KX-' + String(round * 7 % 5_000).padStart(4, '0'), date: '${DATE}' }
        const head = { ...${JSON.stringify(HEAD)}, revision: round }
        apply({ key, before: store.blocks.head(key) ?? null, head, fromBlock: 0, blocks: [new Uint8Array(round % 5_000)], states: [] })
      })
    }`
  const writer = Bun.spawn([process.execPath, '-e', program, data], { stdout: 'pipe', stderr: 'inherit' })
  try {
    await writer.stdout.getReader().read()
    const store = openStore(data)
    for (let round = 0; round < 30; round++) expect(checkAll(store).faults).toEqual([])
    await store.close()
  } finally {
    writer.kill()
    await writer.exited
  }
})
