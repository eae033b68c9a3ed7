// Goal: a store that version 0.1.0 made is upgraded without losing a record, wherever it is killed, and stays as it was
// until then.

import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { blockPart } from '../../../storage/block-store.ts'
import { decodeBlock } from '../../../storage/format/block.ts'
import { openStore, type StoreOnDisk } from '../../../storage/open-store.ts'
import { VENUES } from '../../../storage/venue.ts'
import { decodeWholeBlock } from '../../../workers/block/decoded-block.ts'
import { ByteWriter } from '../../../workers/bytes/byte-writer.ts'
import { answerPage } from '../../../workers/read/answer-page.ts'
import { RecordWriter } from '../../../workers/table/record-writer.ts'
import { upgradeFolder } from '../../../workers/upgrade/upgrade-folder.ts'
import { verifyStore } from '../../../workers/verify/verify-store.ts'
import { runBackbook } from '../../support/programs/program.ts'

const ROOT = join(import.meta.dir, '../../..')
const FIXTURE = join(ROOT, 'test/fixtures/store-format-2')
const OLD = gunzipSync(readFileSync(join(FIXTURE, 'data.mdb.gz')))
const RECORDS = gunzipSync(readFileSync(join(FIXTURE, 'records.ndjson.gz'))).toString()
const PARTITIONS = 31
/** Of the old store's last change. */
const TRANSACTION = 11

const folder = mkdtempSync(join(tmpdir(), 'backbook-upgrade-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let made = 0
function oldStore(): string {
  const data = join(folder, String(made++))
  mkdirSync(join(data, 'store'), { recursive: true })
  writeFileSync(join(data, 'store/data.mdb'), OLD)
  return data
}

const nothing = () => {}

async function withStore<T>(data: string, run: (store: StoreOnDisk) => Promise<T>): Promise<T> {
  const store = openStore(data)
  try {
    return await run(store)
  } finally {
    await store.close()
  }
}

async function* blocksOf({ catalogue, blocks }: StoreOnDisk) {
  for (const venue of VENUES) {
    for await (const key of catalogue.partitions(venue)) {
      for (const { id } of (await catalogue.head(key))!.blocks) {
        const parts = await blocks.fetch([{ key, ...blockPart(id) }])
        yield { key, block: decodeWholeBlock(decodeBlock(parts.bytes(key, blockPart(id)))) }
      }
    }
  }
}

/** All records, market by market, as `export` writes them. */
async function recordsOf(store: StoreOnDisk): Promise<string> {
  const writer = new ByteWriter(1 << 20)
  for await (const { key, block } of blocksOf(store)) {
    const records = new RecordWriter(key.venue, key.market, block)
    for (let record = 0; record < block.recordCount; record++) {
      records.write(writer, record)
      writer.writeByte(0x0a)
    }
  }
  return Buffer.from(writer.bytes.subarray(0, writer.length)).toString()
}

const sorted = (lines: string) => lines.split('\n').sort().join('\n')

async function expectUpgraded(data: string): Promise<void> {
  await withStore(data, async (store) => {
    expect(sorted(await recordsOf(store))).toBe(sorted(RECORDS))
    const { partitions, records, damage, storeDamage } = await verifyStore(store)
    expect({ partitions, records, damage, storeDamage }).toEqual({
      ...{ partitions: PARTITIONS, records: RECORDS.split('\n').length - 1, damage: [], storeDamage: [] },
    })
  })
}

describe('an upgraded store', () => {
  test('has the same records, and no damage; the old file is kept as it was', async () => {
    const data = oldStore()
    const upgraded = await upgradeFolder(data, nothing)
    expect(upgraded).toMatchObject({ partitions: PARTITIONS, records: 1_252 })
    await expectUpgraded(data)
    expect(readdirSync(data).sort()).toEqual([upgraded!.keptAs.slice(data.length + 1), 'store'])
    expect(readFileSync(join(upgraded!.keptAs, 'store/data.mdb')).equals(OLD)).toBe(true)
    expect(await upgradeFolder(data, nothing)).toBeNull()
  })

  test('knows what its trades mean', async () => {
    const data = oldStore()
    await upgradeFolder(data, nothing)
    await withStore(data, async (store) => {
      let trades = 0
      for await (const { block } of blocksOf(store)) {
        for (const { shape } of block.shapes) {
          // Some trades of the fixture have no price.
          if (shape.kind !== 'trade' || !JSON.stringify(shape.parts).includes('price')) continue
          expect(shape.trade).not.toBeNull()
          trades++
        }
      }
      expect(trades).toBeGreaterThan(0)
      const day = { venue: 'kalshi', market: 'KXFIX-26AUG10', date: '2026-08-10' } as const
      const lines = RECORDS.split('\n').filter((line) => line.includes('KXFIX') && line.startsWith('{"type":"trade"'))
      expect((await store.catalogue.head(day))!.tradeCount).toBe(lines.length)
    })
  })

  test('answers slugs, and accepts the cursors that are still exact', async () => {
    const data = oldStore()
    await upgradeFolder(data, nothing)
    await withStore(data, async (store) => {
      expect((await store.catalogue.slug('an-event'))?.markets).toHaveLength(1)
      expect((await store.catalogue.slug('will-it'))?.markets).toHaveLength(1)
      // Of revision 2, whose first changed record is the 16th.
      const [venue, market, date] = ['kalshi', 'KXRAND-A', '2026-08-12'] as const
      const page = (record: number) => {
        const after = { date, record, revision: 1 }
        const scope = { fromMs: Date.parse(date), toMs: Date.parse(date) + 86_399_999, after }
        return answerPage(store, { venue, market, book: null, limit: 10, scope })
      }
      expect((await page(15)).head.dataCount).toBe(1)
      await expect(page(16)).rejects.toMatchObject({ code: 'cursor_stale' })
    })
  })
})

const UPGRADE = `
  import { upgradeFolder } from '${ROOT}/workers/upgrade/upgrade-folder.ts'
  const [data, at, after] = process.argv.slice(1)
  await upgradeFolder(data, (step, done) => {
    if (step === at && done === Number(after)) process.kill(process.pid, 'SIGKILL')
  }, 100)
`

describe('an upgrade that is killed', () => {
  test.each([
    ['upgrading', 0],
    ['upgrading', 17],
    ['comparing', 5],
    ['verifying', 30],
  ])('while %s, at market day %d, goes on', async (step, day) => {
    const data = oldStore()
    const child = Bun.spawn([process.execPath, '-e', UPGRADE, data, step, String(day)], { stderr: 'inherit' })
    await child.exited
    expect(child.signalCode).toBe('SIGKILL')
    expect(readFileSync(join(data, 'store/data.mdb')).equals(OLD)).toBe(true)
    const staged = await withStore(join(data, `.upgrading-${TRANSACTION}/new`), (store) => recordsOf(store))
    const lines = (text: string) => text.split('\n').length
    if (step === 'upgrading') expect(lines(staged)).toBeLessThan(lines(RECORDS))
    else expect(lines(staged)).toBe(lines(RECORDS))
    if (day > 0) expect(lines(staged)).toBeGreaterThan(1)
    await upgradeFolder(data, nothing)
    await expectUpgraded(data)
  })

  test('begins again where the old store was written to since', async () => {
    const data = oldStore()
    const child = Bun.spawn([process.execPath, '-e', UPGRADE, data, 'upgrading', '17'])
    await child.exited
    renameSync(join(data, `.upgrading-${TRANSACTION}`), join(data, '.upgrading-9'))
    await upgradeFolder(data, nothing)
    await expectUpgraded(data)
    expect(readdirSync(data).filter((name) => name.startsWith('.'))).toEqual([])
  })
})

const HOLD = `
  import { open } from 'lmdb'
  const root = open({ path: process.argv[1] + '/store', maxDbs: 12 })
  root.openDB({ name: 'meta', encoding: 'binary' }).get('version')
  console.log('open')
  setInterval(() => {}, 1_000)
`

test('an old store that another process has open is refused, also when it comes late', async () => {
  const data = oldStore()
  const hold = async () => {
    const holder = Bun.spawn([process.execPath, '-e', HOLD, data], { cwd: ROOT, stdout: 'pipe' })
    for await (const _ of holder.stdout) break
    return holder
  }
  const early = await hold()
  const refused = { code: 'store_unavailable', message: expect.stringContaining(`used, by process ${early.pid}: stop`) }
  await expect(upgradeFolder(data, nothing)).rejects.toMatchObject(refused)
  early.kill()
  await early.exited
  const late: Promise<Bun.Subprocess>[] = []
  const onProgress = () => void (late.length === 0 && late.push(hold()))
  const upgrading = upgradeFolder(data, onProgress)
  await expect(upgrading).rejects.toMatchObject({ message: expect.stringContaining('while it is used, by process') })
  const other = await late[0]!
  other.kill()
  await other.exited
  expect(readFileSync(join(data, 'store/data.mdb')).equals(OLD)).toBe(true)
  await upgradeFolder(data, nothing)
  await expectUpgraded(data)
})

describe('the commands', () => {
  const market = ['--venue', 'kalshi', '--market', 'KXRAND-A']
  test.each([
    ['markets', []],
    ['coverage', market],
    ['summary', market],
    ['export', market],
    ['verify', []],
    ['compact', []],
    ['ingest', [join(ROOT, 'README.md')]],
    ['backup', [join(folder, 'backup')]],
    ['serve', ['--port', '0']],
  ])('%s on an old store says how to upgrade it, and leaves it alone', async (command, words) => {
    const data = oldStore()
    const { exitCode, err } = await runBackbook([command, '--data', data, ...words], { cwd: folder })
    expect(err).toContain(`The store in ${data} has format 2, this program reads 3: "backbook upgrade --data ${data}"`)
    expect(exitCode).toBe(1)
    expect(readFileSync(join(data, 'store/data.mdb')).equals(OLD)).toBe(true)
  })

  test('upgrade reports what it did, and then that there is nothing to do', async () => {
    const data = oldStore()
    const first = await runBackbook(['upgrade', '--data', data, '--json'])
    expect(JSON.parse(first.out)).toMatchObject({ data, upgraded: true, market_days: PARTITIONS, records: 1_252 })
    const again = await runBackbook(['upgrade', '--data', data])
    expect(again).toMatchObject({ exitCode: 0, err: '' })
    expect(again.out).toBe(`the store in ${data} has the newest format: there is nothing to do\n`)
  })
})
