// Goal: a sound file has no fault, also while it is written to; damage of its index is told before LMDB walks it, costs
// what lies below it and nothing else, and ends no process.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkPages } from '../../../storage/lmdb/check-pages.ts'
import { storeFile } from '../../../storage/lmdb/environment.ts'
import { openStore, type Store } from '../../../storage/open-store.ts'
import { verifyStore } from '../../../workers/verify/verify-store.ts'
import { DATE, HEAD, nameOf, putMarkets, slugOf } from '../../support/made-markets.ts'
import { temporaryFolder } from '../../support/server.ts'

const PAGE = 4_096
const MARKETS = 300
const WHOLE = { pages: Number.POSITIVE_INFINITY, readsOverflow: true }
const folder = temporaryFolder()
const sound = join(folder.path, 'sound')

const put = (store: Store, from: number, count: number) => putMarkets(store, from, count, 6_000)

beforeAll(async () => {
  const store = openStore(sound)
  for (let from = 0; from < MARKETS; from += 50) put(store, from, 50)
  const events = Array.from({ length: MARKETS }, (_, number) => ({
    event: { slug: slugOf(number), title: 'An event' },
    markets: [],
  }))
  store.blocks.putSlugs({ events, markets: [] })
  await store.close()
})
afterAll(() => folder[Symbol.dispose]())

/** A copy in which bytes of one page are changed. */
function damaged(name: string, page: number, change: (bytes: Buffer) => void): string {
  const data = join(folder.path, name)
  mkdirSync(data, { recursive: true })
  cpSync(join(sound, 'store', 'data.mdb'), join(data, 'store', 'data.mdb'), { recursive: true })
  const file = readFileSync(storeFile(data))
  change(file.subarray(page * PAGE, (page + 1) * PAGE))
  writeFileSync(storeFile(data), file)
  return data
}

/** Pages of the index that hold a text: flags 1 are branches, 2 leaves. */
function pagesWith(text: string, flags: number): number[] {
  const file = readFileSync(storeFile(sound))
  const newest = checkPages(storeFile(sound), PAGE, WHOLE)
  expect(newest.faults).toEqual([])
  return Array.from({ length: file.length / PAGE }, (_, page) => page).filter((page) => {
    const bytes = file.subarray(page * PAGE, (page + 1) * PAGE)
    return page > 1 && bytes.readUInt16LE(18) === flags && bytes.includes(text)
  })
}

/** Which of the two beginnings counts. */
const newestOf = (file: Buffer): 0 | 1 => (file.readUInt32LE(152) > file.readUInt32LE(PAGE + 152) ? 0 : 1)

const has = (store: Store, number: number) => told(() => store.catalogue.market('kalshi', nameOf(number)) !== undefined)

/** The answer, or the code of the failure. */
function told(ask: () => boolean): boolean | string {
  try {
    return ask()
  } catch (error) {
    return (error as { code: string }).code
  }
}

test('a sound file has no fault, and all of its index is read', () => {
  const { faults, isComplete, pages } = checkPages(storeFile(sound), PAGE, WHOLE)
  expect({ faults, isComplete }).toEqual({ faults: [], isComplete: true })
  expect(pages).toBeGreaterThan(MARKETS)
  expect(checkPages(storeFile(sound), PAGE, { pages: 20, readsOverflow: true })).toMatchObject({
    ...{ faults: [], isComplete: false },
  })
})

describe.each([
  ['a number of another page', (page: Buffer) => page.writeUInt8(page[0]! ^ 1, 0)],
  ['flags of another kind', (page: Buffer) => page.writeUInt8(6, 18)],
  ['bounds beyond its end', (page: Buffer) => page.writeUInt16LE(0xfff0, 22)],
  ['a node beyond its end', (page: Buffer) => page.writeUInt16LE(0x0fff, 26)],
  [
    'a node of another length',
    (page: Buffer) => page.writeUInt8(page[24 + page.readUInt16LE(24)]! ^ 64, 24 + page.readUInt16LE(24)),
  ],
  ['zeros', (page: Buffer) => page.fill(0)],
])('a leaf with %s', (name, change) => {
  test('costs what lies on it, is told by name, and nothing is written', async () => {
    const copies = pagesWith(nameOf(100), 2).map((page) => damaged(`${name} ${page}`, page, change))
    let refusedOnce = 0
    for (const data of copies) {
      if (checkPages(storeFile(data), PAGE, WHOLE).faults.length === 0) continue
      const store = openStore(data)
      const answers = Array.from({ length: MARKETS }, (_, number) => has(store, number))
      expect(answers).not.toContain(false)
      const refused = answers.filter((answer) => answer === 'block_corrupt').length
      if (refused > 0) refusedOnce++
      expect(refused).toBeLessThan(MARKETS)
      expect(() => put(store, MARKETS, 1)).toThrow(/data\.mdb is damaged: page \d+ of its [a-z]+ .*Restore a backup/)
      const report = verifyStore(store, () => undefined)
      expect(report.storeDamage.join()).toMatch(/page \d+ of its [a-z]+ .*KX-/)
      await store.close()
    }
    expect(refusedOnce).toBeGreaterThan(0)
  })
})

test('a branch that leads to another page than its keys lie on hides none of them', async () => {
  let refusedOnce = 0
  for (const page of pagesWith('slug-', 1)) {
    for (const bit of [1, 2, 4, 8]) {
      // The last digit of the second key: the first says nothing.
      const data = damaged(`way ${page} ${bit}`, page, (bytes) => {
        bytes[bytes.indexOf('slug-', 24 + bytes.readUInt16LE(26)) + 8]! ^= bit
      })
      if (checkPages(storeFile(data), PAGE, WHOLE).faults.length === 0) continue
      const store = openStore(data)
      const answers = Array.from({ length: MARKETS }, (_, number) =>
        told(() => store.catalogue.slug(slugOf(number)) !== undefined),
      )
      expect(answers).not.toContain(false)
      expect(answers).toContain(true)
      refusedOnce += answers.filter((answer) => answer === 'block_corrupt').length
      await store.close()
    }
  }
  expect(refusedOnce).toBeGreaterThan(0)
})

test('without its roots a store is not opened', () => {
  for (const page of pagesWith('states', 2)) {
    const data = damaged(`roots ${page}`, page, (bytes) => bytes.fill(0, 20, 60))
    if (checkPages(storeFile(data), PAGE, WHOLE).faults.length === 0) continue
    expect(() => openStore(data)).toThrow(/is damaged: page \d+ of its main /)
  }
})

test('roots on a page that no file can have are told; the earlier ones are not used any more', () => {
  const beyond = (page: Buffer) => page.writeInt32LE(0x0800_0000, 96 + 40 + 4)
  const newest = newestOf(readFileSync(storeFile(sound)))
  const data = damaged('beyond', newest, beyond)
  expect(checkPages(storeFile(data), PAGE, WHOLE).faults).toMatchObject([{ tree: 'main' }])
  expect(() => openStore(data)).toThrow('is damaged')
  const store = openStore(damaged('beyond earlier', 1 - newest, beyond))
  expect(has(store, 100)).toBe(true)
  return store.close()
})

test('a newest beginning that says it is older is told from an older one', () => {
  const metas = readFileSync(storeFile(sound))
  const data = damaged('older', newestOf(metas), (bytes) => bytes.writeUInt32LE(bytes.readUInt32LE(152) - 2, 152))
  expect(() => openStore(data)).toThrow('is damaged')
})

test('pages that transactions around the 256th and the 512th gave free are a list in order', async () => {
  const data = damaged('transactions', 0, () => undefined)
  const store = openStore(data)
  for (let round = 0; round < 520; round++) {
    store.blocks.putSlugs({
      events: [{ event: { slug: slugOf(round % 7), title: `${round}` }, markets: [] }],
      markets: [],
    })
    await store.flushed()
    expect(checkPages(storeFile(data), PAGE, WHOLE).faults).toEqual([])
  }
  await store.close()
})

test('a writer that is at work makes no faults', async () => {
  const data = damaged('written', 0, () => undefined)
  const program = `
    import { openStore } from '${join(import.meta.dir, '../../../storage/open-store.ts')}'
    const store = openStore(process.argv[1])
    console.log('open')
    for (let round = 0; ; round++) {
      store.blocks.transaction((apply) => {
        const key = { venue: 'kalshi', market: 'KX-' + String(round % 300).padStart(4, '0'), date: '${DATE}' }
        const head = { ...${JSON.stringify(HEAD)}, revision: round }
        apply({ key, before: store.blocks.head(key) ?? null, head, fromBlock: 0, blocks: [new Uint8Array(6_000 + round % 5_000)], states: [] })
      })
    }`
  const writer = Bun.spawn([process.execPath, '-e', program, data], { stdout: 'pipe', stderr: 'inherit' })
  try {
    await writer.stdout.getReader().read()
    for (let round = 0; round < 100; round++) expect(checkPages(storeFile(data), PAGE, WHOLE).faults).toEqual([])
  } finally {
    writer.kill()
    await writer.exited
  }
})
