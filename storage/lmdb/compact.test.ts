// long: twelve processes open a store at once, others are killed while they compact it
// A compaction frees unused pages and changes nothing else, even if it is killed at any point. It never runs while
// another process has the store open.

import { expect, test } from 'bun:test'
import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { kalshiTrade } from '../../test/model/lines.ts'
import { killedAtChange } from '../../test/support/programs/killed-at-change.ts'
import { TestStore } from '../../test/support/store.ts'
import { verifyStore } from '../../workers/verify/verify-store.ts'
import { openStore } from '../open-store.ts'
import { compactStore } from './compact.ts'

const ROOT = join(import.meta.dir, '../..')
const COMPACT = `
  import { compactStore } from '${ROOT}/storage/lmdb/compact.ts'
  try { console.log(JSON.stringify(await compactStore(process.argv[1], () => {}))) }
  catch (error) { console.log(error.code, error.message) }
`
const HOLD = `
  import { openStore } from '${ROOT}/storage/open-store.ts'
  openStore(process.argv[1])
  console.log('open')
  setInterval(() => {}, 1_000)
`

const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => JSON.stringify(kalshiTrade(from + n, `${Bun.hash(`${from + n}`)}`)))

/** Returns a store with free pages: its only day was rewritten several times. */
async function storeWithFreePages(): Promise<{ folder: string } & Disposable> {
  const store = new TestStore()
  for (let round = 0; round < 6; round++) await store.loadLines(`${round}.ndjson`, lines(round * 6_000, 6_000))
  await store.store.close()
  return { folder: store.folder, [Symbol.dispose]: () => rmSync(store.folder, { recursive: true, force: true }) }
}

async function contentOf(folder: string): Promise<unknown> {
  const store = openStore(folder)
  const heads = []
  for await (const key of store.catalogue.partitions('kalshi'))
    heads.push({ key, head: await store.catalogue.head(key) })
  const { records, damage } = await verifyStore(store, () => {})
  const secret = Buffer.from(await store.catalogue.cursorSecret()).toString('hex')
  await store.close()
  return { heads, records, damage, secret }
}

const file = (folder: string) => join(folder, 'store', 'data.mdb')
const filesIn = (folder: string) => readdirSync(join(folder, 'store')).sort()
const spawn = (script: string, folder: string) =>
  Bun.spawn([process.execPath, '-e', script, folder], { stdout: 'pipe', stderr: 'inherit' })

test('takes less space and has the same content, and the store can be written again', async () => {
  using store = await storeWithFreePages()
  chmodSync(file(store.folder), 0o640)
  const before = await contentOf(store.folder)
  const bytes = statSync(file(store.folder)).size
  const { bytesBefore, bytesAfter } = await compactStore(store.folder, () => {})
  expect(bytesBefore).toBe(bytes)
  expect(bytesAfter).toBe(statSync(file(store.folder)).size)
  expect(bytesAfter).toBeLessThan(0.9 * bytesBefore)
  expect(statSync(file(store.folder)).mode & 0o777).toBe(0o640)
  expect(filesIn(store.folder)).toEqual(['data.mdb', 'lock.mdb'])
  expect(await contentOf(store.folder)).toEqual(before)
  const again = openStore(store.folder)
  await again.catalogue.putSlugs({ events: [{ event: { slug: 'a', title: 'A' }, markets: [] }], markets: [] })
  expect((await again.catalogue.slug('a'))?.event?.title).toBe('A')
  await again.close()
  expect((await compactStore(store.folder, () => {})).bytesAfter).toBeLessThanOrEqual(bytesAfter + 8_192)
}, 60_000)

test('is refused while another process has the store open, and names that process', async () => {
  using store = await storeWithFreePages()
  const before = statSync(file(store.folder))
  const holder = spawn(HOLD, store.folder)
  for await (const _ of holder.stdout) break
  await expect(compactStore(store.folder, () => {})).rejects.toMatchObject({
    code: 'store_unavailable',
    message: expect.stringContaining(
      `while it is used, by process ${holder.pid}: stop the server and what loads into it`,
    ),
  })
  expect(statSync(file(store.folder)).ino).toBe(before.ino)
  holder.kill('SIGKILL')
  await holder.exited
  expect((await compactStore(store.folder, () => {})).bytesAfter).toBeLessThan(before.size)
}, 60_000)

test('is refused while this process has the store open', async () => {
  using store = await storeWithFreePages()
  const open = openStore(store.folder)
  expect(await open.catalogue.lastRecordMs('kalshi')).not.toBeNull()
  const elsewhere = spawn(COMPACT, store.folder)
  expect(await elsewhere.stdout.text()).toStartWith('store_unavailable Cannot compact')
  await open.close()
})

test('processes that open the store meanwhile never write to the old file', async () => {
  using store = await storeWithFreePages()
  const add = (n: number) => `
    import { openStore } from '${ROOT}/storage/open-store.ts'
    const store = openStore(process.argv[1])
    await store.catalogue.putSlugs({ events: [{ event: { slug: 's${n}', title: 'S' }, markets: [] }], markets: [] })
    await store.close()
    console.log('acknowledged')
  `
  const children = Array.from({ length: 12 }, (_, n) => spawn(n % 3 === 0 ? COMPACT : add(n), store.folder))
  const childOutput = await Promise.all(children.map((child) => child.stdout.text()))
  const reopened = openStore(store.folder)
  for (const [n, text] of childOutput.entries()) {
    const isCompaction = n % 3 === 0
    expect(text).toMatch(isCompaction ? /^\{"bytesBefore"|^store_unavailable / : /^acknowledged\n$/)
    if (!isCompaction) expect((await reopened.catalogue.slug(`s${n}`))?.event?.title).toBe('S')
  }
  expect(await verifyStore(reopened, () => {})).toMatchObject({ records: 36_000, damage: [] })
  await reopened.close()
}, 120_000)

test('a kill at any moment leaves the store unchanged, and the next compaction removes the remains', async () => {
  using store = await storeWithFreePages()
  const before = await contentOf(store.folder)
  for (const change of [1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20]) {
    await killedAtChange(spawn(COMPACT, store.folder), store.folder, change)
    expect(await contentOf(store.folder)).toEqual(before)
  }
  await compactStore(store.folder, () => {})
  expect(filesIn(store.folder)).toEqual(['data.mdb', 'lock.mdb'])
  expect(await contentOf(store.folder)).toEqual(before)
}, 120_000)
