// Goal: whatever is at the path of a store, opening gives a store or a plain error, and never ends the process.

import { describe, expect, test } from 'bun:test'
import { chmodSync, chownSync, mkdirSync, openSync, readFileSync, rmSync, truncateSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { blockPart } from '../../storage/block-store.ts'
import { isIntact } from '../../storage/format/block.ts'
import { hasStore, openStore } from '../../storage/open-store.ts'
import { DAY, kalshiTrade, TICKER } from '../model/lines.ts'
import { canMount, onReadOnlyDisk } from '../support/disk/small-disk.ts'
import { temporaryFolder } from '../support/server.ts'
import { TestStore } from '../support/store.ts'

const ROOT = join(import.meta.dir, '../..')
const OPEN = `
  import { openStore } from '${ROOT}/storage/open-store.ts'
  const [folder] = process.argv.slice(1)
  try { await openStore(folder).close(); console.log('opened') } catch (error) { console.log(error.code, error.message) }
`

/** Makes a data folder with a store of some records, which no process has open. */
async function storedFolder(): Promise<{ path: string; data: string } & Disposable> {
  const store = new TestStore()
  await store.loadLines(
    'c.ndjson',
    Array.from({ length: 40_000 }, (_, n) => JSON.stringify(kalshiTrade(n, `${n * 7919}`))),
  )
  await store.store.close()
  const dispose = { [Symbol.dispose]: () => rmSync(store.folder, { recursive: true, force: true }) }
  return { path: store.folder, data: join(store.folder, 'store', 'data.mdb'), ...dispose }
}

function write(path: string, offset: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+')
  writeSync(file, bytes, 0, bytes.length, offset)
}

function refusal(folder: string): string {
  try {
    void openStore(folder).close()
    return 'opened'
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return `${code}: ${message}`
  }
}

test('opening makes a store in a folder that has none', async () => {
  using folder = temporaryFolder()
  expect(hasStore(folder.path)).toBe(false)
  await openStore(folder.path).close()
  expect(hasStore(folder.path)).toBe(true)
})

test('an empty file, which an unused store leaves, becomes a store', async () => {
  using folder = temporaryFolder()
  mkdirSync(join(folder.path, 'store'))
  await Bun.write(join(folder.path, 'store', 'data.mdb'), '')
  expect(refusal(folder.path)).toBe('opened')
})

describe('a file that is not a store, or no longer one', () => {
  test.each([
    ['text', 'not a store, but a file of some length\n'.repeat(1_000)],
    ['one byte', 'x'],
    ['a SQLite file', `SQLite format 3\0${'\0'.repeat(8_000)}`],
  ])('%s is refused', async (_, content) => {
    using folder = temporaryFolder()
    await Bun.write(join(folder.path, 'store', 'data.mdb'), content)
    expect(refusal(folder.path)).toContain('data.mdb is not a store of backbook, or its beginning is damaged')
    expect(readFileSync(join(folder.path, 'store', 'data.mdb'), 'latin1')).toBe(content)
  })

  const ones = (length: number) => new Uint8Array(length).fill(0xff)
  test.each([
    ['the whole first page', 0, 4_096],
    ['the mark of the first page', 24, 4],
    ['the size of pages', 48, 4],
    ['the whole second page', 4_096, 4_096],
    ['the newest root', 4_096 + 136, 7],
    ['both pages', 0, 8_192],
  ])('%s damaged', async (_, offset, length) => {
    using folder = await storedFolder()
    write(folder.data, offset, ones(length))
    if (offset > 4_096) write(folder.data, offset - 4_096, ones(length))
    expect(refusal(folder.path)).toContain('its beginning is damaged: name another data folder, or restore a backup')
  })

  test('another format of LMDB', async () => {
    using folder = await storedFolder()
    write(folder.data, 28, Uint8Array.of(3, 0, 0, 0))
    expect(refusal(folder.path)).toContain("file has LMDB's format 3, this program reads 2: it was made by another")
  })

  test.each([2, 3, 4, 6])('a store of format %d is unchanged, and its error names the upgrade', async (format) => {
    using folder = await storedFolder()
    const root = open<Uint8Array, string>({ path: join(folder.path, 'store'), encoding: 'binary', maxDbs: 12 })
    // Older formats had databases of these names.
    for (const name of ['states', 'parts', 'markets', 'slugs', 'metadata', 'finding']) {
      root.openDB({ name, encoding: 'binary' }).putSync('a', Uint8Array.of(1))
    }
    root.openDB({ name: 'meta', encoding: 'binary' }).putSync('version', Uint8Array.of(format))
    await root.close()
    const before = readFileSync(folder.data)
    expect(refusal(folder.path)).toBe(
      `store_unavailable: The store in ${folder.path} has format ${format}, and this program accepts format 5: ` +
        '"backbook export" its markets with the version that wrote it, then "backbook ingest" the files into a new ' +
        'store (docs/operations.md, Upgrades)',
    )
    expect(readFileSync(folder.data).equals(before)).toBe(true)
  })

  test.each([100, 4_096, 8_191, 8_192, 20_000])('a file of which %d bytes are left', async (length) => {
    using folder = await storedFolder()
    truncateSync(folder.data, length)
    expect(refusal(folder.path)).toMatch(
      /its beginning is damaged|was cut short: it has \d+ of \d+ bytes. Restore a backup/,
    )
  })

  // At the end of the file, LMDB does not write free pages.
  test('a file without the free pages at its end is complete', async () => {
    using folder = await storedFolder()
    const { size } = Bun.file(folder.data)
    for (const page of [0, 2_048, 4_096]) write(folder.data, page + 144, Uint8Array.of(size / 4_096 + 2))
    const store = openStore(folder.path)
    const key = { venue: 'kalshi', market: TICKER, date: DAY } as const
    const { blocks } = (await store.catalogue.head(key)) ?? { blocks: [] }
    const parts = await store.blocks.fetch(blocks.map(({ id }) => ({ key, ...blockPart(id) })))
    for (const { id } of blocks) expect(isIntact(parts.bytes(key, blockPart(id)))).toBe(true)
    expect(blocks.length).toBe(3)
    await store.close()
  })
})

describe('permissions', () => {
  const isRoot = process.getuid?.() === 0
  const asOtherUser = (folder: string) => {
    const drop = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []
    const child = Bun.spawnSync([...drop, process.execPath, '-e', OPEN, folder], { cwd: tmpdir() })
    return child.stdout.toString() + child.stderr.toString()
  }

  test.each([
    ['the folder', 'store', 0o555],
    ['the data', 'store/data.mdb', 0o444],
    ['the data, not even readable', 'store/data.mdb', 0o000],
    ['the lock file', 'store/lock.mdb', 0o444],
  ])('%s that may not be written names the file and what to do', async (_, path, mode) => {
    using folder = await storedFolder()
    for (const entry of ['', 'store', 'store/data.mdb', 'store/lock.mdb']) {
      if (isRoot) chownSync(join(folder.path, entry), 65534, 65534)
      chmodSync(join(folder.path, entry), 0o755)
    }
    chmodSync(join(folder.path, path), mode)
    const text = asOtherUser(folder.path)
    chmodSync(join(folder.path, path), 0o755)
    expect(text).toStartWith(`store_unavailable Cannot open the store: ${join(folder.path, path)} may not be read and`)
    expect(text).toContain('run as the user with id')
  })

  test.skipIf(!canMount)('the error names a read-only file system (skipped where none can be mounted)', async () => {
    using folder = await storedFolder()
    const { out, err } = await onReadOnlyDisk(folder.path, OPEN)
    expect(err).toBe('')
    expect(out).toContain(`${join(folder.path, 'store')} is on a read-only file system`)
    using empty = temporaryFolder()
    expect((await onReadOnlyDisk(empty.path, OPEN)).out).toMatch(
      /^store_unavailable Cannot open .*read-only file system/,
    )
  })
})

test.skipIf(!canMount)(
  'a process with the same id in another container is refused, and does not wait for ever',
  async () => {
    using folder = await storedFolder()
    const holding = `
    import { openStore } from '${ROOT}/storage/open-store.ts'
    openStore(process.argv[1])
    console.log('open', process.pid)
    setInterval(() => {}, 1_000)
  `
    const contained = ['unshare', '--map-root-user', '--pid', '--fork', '--kill-child', process.execPath, '-e']
    const first = Bun.spawn([...contained, holding, folder.path], { stdout: 'pipe', stderr: 'inherit' })
    for await (const bytes of first.stdout) {
      expect(new TextDecoder().decode(bytes)).toBe('open 1\n')
      break
    }
    const second = Bun.spawnSync([...contained, OPEN, folder.path], { timeout: 20_000 })
    first.kill('SIGKILL')
    await first.exited
    expect(second.stdout.toString()).toStartWith(
      'store_unavailable Another process with the number 1, most likely in another',
    )
  },
)
