// Goal: `verify` reports no damage of a sound index, even during a write. A damaged index is reported or refused, or
// the process that looks for damage ends. Opening never replaces a database whose name is damaged.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { storeFile } from '../../../storage/lmdb/environment.ts'
import { openStore } from '../../../storage/open-store.ts'
import { verifyStore } from '../../../workers/verify/verify-store.ts'
import { nameOf, namesFrom, putMarkets, slugOf } from '../../support/made-markets.ts'
import { temporaryFolder } from '../../support/server.ts'

const PAGE = 4_096
const MARKETS = 300
const folder = temporaryFolder()
const sound = join(folder.path, 'sound')
let copies = 0

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

/** Makes a copy with changed bytes in one page. */
function damaged(name: string, page: number, change: (bytes: Buffer) => unknown): string {
  const data = join(folder.path, name)
  const file = readFileSync(storeFile(sound))
  change(file.subarray(page * PAGE, (page + 1) * PAGE))
  mkdirSync(dirname(storeFile(data)), { recursive: true })
  writeFileSync(storeFile(data), file)
  return data
}

/** Returns the pages of the index that contain a text. Flags 1 are branches, 2 leaves. */
function pagesWith(text: string, flags: number): number[] {
  const file = readFileSync(storeFile(sound))
  return Array.from({ length: file.length / PAGE }, (_, page) => page).filter((page) => {
    const bytes = file.subarray(page * PAGE, (page + 1) * PAGE)
    return page > 1 && bytes.readUInt16LE(18) === flags && bytes.includes(text)
  })
}

/** Returns which of the two meta pages is the newest. */
const newestOf = (file: Buffer): 0 | 1 => (file.readUInt32LE(152) > file.readUInt32LE(PAGE + 152) ? 0 : 1)

/** Returns the leaf with the names of the databases. */
function pageOfNames(): number {
  const file = readFileSync(storeFile(sound))
  return file.readUInt32LE(newestOf(file) * PAGE + 136)
}

/** Exchanges the places of the first two nodes of a page. */
function swapNodes(page: Buffer): void {
  const [first, second] = [page.readUInt16LE(24), page.readUInt16LE(26)]
  page.writeUInt16LE(second, 24)
  page.writeUInt16LE(first, 26)
}

/** Damages each page in its own copy. Returns what `verify` finds. Pages of earlier transactions are not in use, so
 *  their damage is not found. */
async function damageOfEach(pages: number[], change: (page: Buffer) => unknown): Promise<string[]> {
  const found: string[] = []
  for (const page of pages) {
    const store = openStore(damaged(`verified ${copies++}`, page, change))
    const { storeDamage, partitions } = await verifyStore(store)
    if (storeDamage.length > 0) expect(partitions).toBe(0)
    found.push(...storeDamage)
    await store.close()
  }
  expect(found.length).toBeGreaterThan(0)
  return found
}

test('a sound index has no damage', async () => {
  const store = openStore(sound)
  expect(await store.maintenance.indexDamage()).toEqual([])
  await store.close()
})

describe('verify finds, and then reads nothing else,', () => {
  const leaves = () => pagesWith(nameOf(100), 2)
  const expectEach = (found: string[], what: RegExp) => {
    for (const sentence of found) expect(sentence).toMatch(what)
  }

  test('a leaf without its entries', async () => {
    const found = await damageOfEach(leaves(), (page) => page.writeUInt16LE(0, 20))
    expectEach(found, /^the index of its (blocks|heads|rows) is damaged: a search does not find entry [0-9]+$/)
  })

  test('entries in another order', async () => {
    const found = await damageOfEach(leaves(), swapNodes)
    expectEach(found, /(a search does not find entry [0-9]+|entry [0-9]+ is not above the one before it)$/)
  })

  test('a branch whose key does not fit the page below', async () => {
    // Changes the second key, because the first key of a branch has no meaning.
    const raise = (page: Buffer) => void page.write('z', 24 + page.readUInt16LE(26) + 8)
    expectEach(await damageOfEach(pagesWith('slug-', 1), raise), /a search does not find entry [0-9]+$/)
  })

  test('a page of another kind, which LMDB refuses', async () => {
    const found = await damageOfEach(pagesWith('slug-', 1), (page) => page.writeUInt8(8, 18))
    expectEach(found, /is damaged: MDB_CORRUPTED/)
  })
})

describe('a store is refused and unchanged', () => {
  const rename = (from: string, to: string) => (page: Buffer) => void page.write(to, page.lastIndexOf(from), 'latin1')

  test.each<[string, (page: Buffer) => void, string]>([
    ['without the name of a database', rename('rows', 'rowz'), 'some names of its databases are missing'],
    ['with names in another order', swapNodes, 'some names'],
    ['without any names', (page) => void page.writeUInt16LE(0, 20), 'is damaged: '],
    ['with a page of zeros for its names', (page) => void page.fill(0), 'is damaged: MDB_'],
  ])('%s', (name, change, reason) => {
    const data = damaged(name, pageOfNames(), change)
    const before = readFileSync(storeFile(data))
    expect(() => openStore(data)).toThrow(/is damaged: .*Restore a backup/)
    expect(() => openStore(data)).toThrow(reason)
    expect(readFileSync(storeFile(data)).equals(before)).toBe(true)
  })

  test('whose roots are on an impossible page; the earlier roots are not in use any more', async () => {
    const beyond = (page: Buffer) => page.writeInt32LE(0x0800_0000, 96 + 40 + 4)
    const newest = newestOf(readFileSync(storeFile(sound)))
    expect(() => openStore(damaged('beyond', newest, beyond))).toThrow('is damaged')
    await openStore(damaged('beyond earlier', (1 - newest) as 0 | 1, beyond)).close()
  })
})

test('a store is refused if the name of its version database is damaged', () => {
  const data = damaged('meta', pageOfNames(), (page) => void page.write('mete', page.lastIndexOf('meta'), 'latin1'))
  expect(() => openStore(data)).toThrow('is damaged: its version is missing. Restore a backup')
})

test('an active writer causes no damage', async () => {
  const data = damaged('written', 0, () => undefined)
  const program = `
    import { openStore } from '${join(import.meta.dir, '../../../storage/open-store.ts')}'
    import { putMarkets } from '${join(import.meta.dir, '../../support/made-markets.ts')}'
    const store = openStore(process.argv[1])
    console.log('open')
    for (let round = 0; ; round++) {
      const market = 'KX-' + String(round % 900).padStart(4, '0')
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
