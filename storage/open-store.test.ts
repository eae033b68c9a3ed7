// Goal: several processes can open, write and read a store at once, and each of them sees only whole captures.

import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { Packr } from 'msgpackr'
import { DAY, kalshiTrade, TICKER } from '../test/model/lines.ts'
import { withStore } from '../test/support/store.ts'
import { openStore } from './open-store.ts'

const LOADER = `
  import { openStore } from '${import.meta.dir}/open-store.ts'
  import { loadCapture } from '${import.meta.dir}/../workers/load/load-capture.ts'
  const [folder, capture] = process.argv.slice(1)
  const store = openStore(folder)
  await loadCapture(store, folder, capture, () => {})
  await store.close()
`

/** Loads a capture in another process. Returns its exit code. */
async function loadElsewhere(folder: string, capture: string): Promise<number> {
  return Bun.spawn([process.execPath, '-e', LOADER, folder, capture], { stdout: 'inherit', stderr: 'inherit' }).exited
}

const capture = (from: number, count: number, ticker = TICKER) =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify(kalshiTrade(from + index, `${from + index}`)).replaceAll(TICKER, ticker),
  ).join('\n')

describe('openStore', () => {
  test('shows what another process writes, after refresh', () =>
    withStore(async (store) => {
      const first = join(store.folder, 'first.ndjson')
      await Bun.write(first, capture(0, 10))
      await store.load(first)
      for (const [index, expected] of [20, 30, 40].entries()) {
        const later = join(store.folder, `later-${index}.ndjson`)
        await Bun.write(later, capture(10 * (index + 1), 10))
        expect(await loadElsewhere(store.folder, later)).toBe(0)
        store.store.refresh()
        expect((await store.records('kalshi', TICKER, DAY)).length).toBe(expected)
      }
    }))

  test('shows markets of another process, and counts them', () =>
    withStore(async (store) => {
      const { catalogue } = store.store
      const page = { prefix: 'KX', offset: 0, limit: 10 }
      expect(await catalogue.markets('kalshi', page)).toEqual({ markets: [], totalCount: 0 })
      const file = join(store.folder, 'c.ndjson')
      await Bun.write(file, `${capture(0, 1)}\n${capture(0, 1, 'KXTEST-2')}`)
      expect(await loadElsewhere(store.folder, file)).toBe(0)
      store.store.refresh()
      expect(await catalogue.markets('kalshi', page)).toEqual({ markets: [TICKER, 'KXTEST-2'], totalCount: 2 })
    }))

  test('is written by two processes at once without losing anything', () =>
    withStore(async (store) => {
      const files = [0, 1, 2].map((index) => join(store.folder, `c-${index}.ndjson`))
      for (const [index, file] of files.entries()) await Bun.write(file, capture(index * 3_000, 5_000))
      const codes = await Promise.all(files.slice(1).map((file) => loadElsewhere(store.folder, file)))
      expect(codes).toEqual([0, 0])
      await store.load(files[0]!)
      const ids = (await store.records('kalshi', TICKER, DAY)).map(({ msg }) =>
        Number((msg as { trade_id: string }).trade_id),
      )
      expect(ids).toEqual(Array.from({ length: 11_000 }, (_, index) => index))
    }))

  test('shows a reader all of a capture or nothing', () =>
    withStore(async (store) => {
      const file = join(store.folder, 'c.ndjson')
      await Bun.write(file, capture(0, 30_000))
      const loading = loadElsewhere(store.folder, file)
      let isDone = false
      const done = loading.then(() => {
        isDone = true
      })
      const seen = new Set<number>()
      while (!isDone) {
        store.store.refresh()
        const head = await store.store.catalogue.head({ venue: 'kalshi', market: TICKER, date: DAY })
        seen.add(head?.recordCount ?? 0)
        await new Promise((resolve) => setImmediate(resolve))
      }
      await done
      store.store.refresh()
      expect((await store.records('kalshi', TICKER, DAY, 100_000)).length).toBe(30_000)
      expect([...seen].filter((count) => count !== 0 && count !== 30_000)).toEqual([])
    }))

  test('returns the same cursor secret each time it is opened', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'backbook-test-'))
    const first = openStore(folder)
    const secret = Buffer.from(await first.catalogue.cursorSecret())
    await first.close()
    const again = openStore(folder)
    expect(Buffer.from(await again.catalogue.cursorSecret()).equals(secret)).toBe(true)
    expect(secret.length).toBe(32)
    await again.close()
    rmSync(folder, { recursive: true })
  })

  test('refuses a store of another format, and a path that is not a folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'backbook-test-'))
    await openStore(folder).close()
    const root = open({ path: join(folder, 'store'), encoding: 'binary', maxDbs: 8 })
    root.openDB({ name: 'meta', encoding: 'binary' }).putSync('version', new Packr().pack(999))
    await root.close()
    await Bun.write(join(folder, 'file'), '')
    const refused = expect.objectContaining({ code: 'store_unavailable' })
    expect(() => openStore(folder)).toThrow(refused)
    expect(() => openStore(join(folder, 'file'))).toThrow(refused)
    rmSync(folder, { recursive: true })
  })
})
