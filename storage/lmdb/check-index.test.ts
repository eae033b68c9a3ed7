// Goal: a sound file has no fault, also while it is written to; damage of its index is found before LMDB reads it.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameOf, namesFrom, putMarkets, slugOf } from '../../test/support/made-markets.ts'
import { temporaryFolder } from '../../test/support/server.ts'
import { verifyStore } from '../../workers/verify/verify-store.ts'
import { openStore } from '../open-store.ts'
import { checkWhole } from './check-index.ts'
import { storeFile } from './environment.ts'

const PAGE = 4_096
const MARKETS = 300
const folder = temporaryFolder()
const sound = join(folder.path, 'sound')

beforeAll(async () => {
  const store = openStore(sound)
  for (let from = 0; from < MARKETS; from += 50) await putMarkets(store, namesFrom(from, 50), 6_000)
  const events = Array.from({ length: MARKETS }, (_, number) => ({
    event: { slug: slugOf(number), title: 'An event' },
    markets: [],
  }))
  await store.catalogue.putSlugs({ events, markets: [] })
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
  return Array.from({ length: file.length / PAGE }, (_, page) => page).filter((page) => {
    const bytes = file.subarray(page * PAGE, (page + 1) * PAGE)
    return page > 1 && bytes.readUInt16LE(18) === flags && bytes.includes(text)
  })
}

/** Which of the two beginnings counts. */
const newestOf = (file: Buffer): 0 | 1 => (file.readUInt32LE(152) > file.readUInt32LE(PAGE + 152) ? 0 : 1)

test('a sound file has no fault', () => {
  expect(checkWhole(storeFile(sound), PAGE)).toEqual([])
})

const WOUNDS: [string, (page: Buffer) => void][] = [
  ['a number of another page', (page) => page.writeUInt8(page[0]! ^ 1, 0)],
  ['flags of another kind', (page) => page.writeUInt8(6, 18)],
  ['bounds beyond its end', (page) => page.writeUInt16LE(0xfff0, 22)],
  ['a node beyond its end', (page) => page.writeUInt16LE(0x0fff, 26)],
  [
    'a node of another length',
    (page) => page.writeUInt8(page[24 + page.readUInt16LE(24)]! ^ 64, 24 + page.readUInt16LE(24)),
  ],
  ['zeros', (page) => page.fill(0)],
]

describe.each(WOUNDS)('a leaf with %s', (name, wound) => {
  test('is found by verify, which then reads nothing else', async () => {
    let found = 0
    for (const page of pagesWith(nameOf(100), 2)) {
      const data = damaged(`${name} ${page}`, page, wound)
      if (checkWhole(storeFile(data), PAGE).length === 0) continue
      const store = openStore(data)
      const report = await verifyStore(store, () => expect.unreachable())
      expect(report.storeDamage.join()).toMatch(/^page \d+ of its [a-z]+ /)
      expect(report.partitions).toBe(0)
      await store.close()
      found++
    }
    expect(found).toBeGreaterThan(0)
  })
})

test('a branch whose key does not fit the page below is found', () => {
  let found = 0
  for (const page of pagesWith('slug-', 1)) {
    for (const bit of [1, 2, 4, 8]) {
      // The last digit of the second key: the first key has no meaning.
      const data = damaged(`way ${page} ${bit}`, page, (bytes) => {
        bytes[bytes.indexOf('slug-', 24 + bytes.readUInt16LE(26)) + 8]! ^= bit
      })
      found += checkWhole(storeFile(data), PAGE).length
    }
  }
  expect(found).toBeGreaterThan(0)
})

const refused = /data\.mdb is damaged: page \d+ of its main .*Restore a backup/

test('without its roots a store is not opened', () => {
  for (const page of pagesWith('parts', 2)) {
    const data = damaged(`roots ${page}`, page, (bytes) => bytes.fill(0, 20, 60))
    if (checkWhole(storeFile(data), PAGE).length > 0) expect(() => openStore(data)).toThrow(refused)
  }
})

test('roots on a page that no file can have are found; the earlier ones are not used any more', async () => {
  const beyond = (page: Buffer) => page.writeInt32LE(0x0800_0000, 96 + 40 + 4)
  const newest = newestOf(readFileSync(storeFile(sound)))
  const data = damaged('beyond', newest, beyond)
  expect(checkWhole(storeFile(data), PAGE).join()).toContain('of its main')
  expect(() => openStore(data)).toThrow('is damaged')
  await openStore(damaged('beyond earlier', 1 - newest, beyond)).close()
})

test('a newest meta page that claims to be older is refused', () => {
  const metas = readFileSync(storeFile(sound))
  const data = damaged('older', newestOf(metas), (bytes) => bytes.writeUInt32LE(bytes.readUInt32LE(152) - 2, 152))
  expect(() => openStore(data)).toThrow(refused)
})

test('pages that transactions around the 256th and the 512th gave free are a list in order', async () => {
  const data = damaged('transactions', 0, () => undefined)
  const store = openStore(data)
  for (let round = 0; round < 520; round++) {
    await store.catalogue.putSlugs({
      events: [{ event: { slug: slugOf(round % 7), title: `${round}` }, markets: [] }],
      markets: [],
    })
    await store.flushed()
    expect(checkWhole(storeFile(data), PAGE)).toEqual([])
  }
  await store.close()
})

test('a writer that is at work makes no faults', async () => {
  const data = damaged('written', 0, () => undefined)
  const program = `
    import { openStore } from '${join(import.meta.dir, '../open-store.ts')}'
    import { putMarkets } from '${join(import.meta.dir, '../../test/support/made-markets.ts')}'
    const store = openStore(process.argv[1])
    console.log('open')
    for (let round = 0; ; round++) {
      const market = 'KX-' + String(round % 300).padStart(4, '0')
      await putMarkets(store, [market], 6_000 + round % 5_000)
    }`
  const writer = Bun.spawn([process.execPath, '-e', program, data], { stdout: 'pipe', stderr: 'inherit' })
  const store = openStore(data)
  try {
    await writer.stdout.getReader().read()
    for (let round = 0; round < 100; round++) {
      expect(await store.maintenance.indexDamage()).toEqual([])
      await Bun.sleep(1)
    }
  } finally {
    await store.close()
    writer.kill()
    await writer.exited
  }
})
