// A full disk loses no acknowledged data and is reported as a full disk. Everything continues once there is room again.

import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { canMount, onSmallDisk } from '../../test/support/disk/small-disk.ts'
import { writeFailure } from './disk-space.ts'

const ROOT = join(import.meta.dir, '../..')
const IMPORTS = `
  import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
  import { join } from 'node:path'
  import { openStore } from '${ROOT}/storage/open-store.ts'
  import { loadCapture } from '${ROOT}/workers/load/load-capture.ts'
  import { readSpilled, SpillFile } from '${ROOT}/workers/block/spill-file.ts'
  import { RejectFile } from '${ROOT}/workers/capture/reject-file.ts'
  import { verifyStore } from '${ROOT}/workers/verify/verify-store.ts'
  import { compactStore } from '${ROOT}/storage/lmdb/compact.ts'
  import { makeBackup } from '${ROOT}/src/backup/make-backup.ts'
  import { openAccounts } from '${ROOT}/src/accounts/open-accounts.ts'
  import { blockPart } from '${ROOT}/storage/block-store.ts'
  import { putMarkets } from '${ROOT}/test/support/made-markets.ts'
  const disk = process.argv[1]
  const data = join(disk, 'data')
  const freeBytes = () => { const { bavail, bsize } = statfsSync(disk); return bavail * bsize }
  /** Fills the disk up to \`left\` bytes; removing the file is what an operator would do. */
  const fill = (left) => writeFileSync(join(disk, 'ballast'), new Uint8Array(Math.max(0, freeBytes() - left)))
  const makeRoom = () => rmSync(join(disk, 'ballast'))
  const noise = (length) => Uint8Array.from({ length }, (_, index) => (index * 2654435761) >>> 24)
  const put = (store, market, bytes = 100_000) => putMarkets(store, [market], bytes, ['2026-08-10'])
  const stored = async (store) => (await Array.fromAsync(store.catalogue.partitions('kalshi'))).map(({ market }) => market)
  const lengthOf = async (store, market) => {
    const key = { venue: 'kalshi', market, date: '2026-08-10' }
    return (await store.blocks.fetch([{ key, ...blockPart(1) }])).bytes(key, blockPart(1)).length
  }
  const failure = (run) => { try { run(); return null } catch (error) { return { code: error.code, message: error.message } } }
  const rejection = (promise) => promise.then(() => null, (error) => ({ code: error.code, message: error.message }))
  const say = (value) => console.log(JSON.stringify(value).replaceAll(disk, 'DISK'))
`

async function run(megabytes: number, script: string, words: string[] = []): Promise<unknown> {
  const { out, err, exitCode } = await onSmallDisk(megabytes, `${IMPORTS}\n${script}`, words)
  // LMDB itself prints lines about a failed commit.
  expect([err.replace(/^(?:mdb_\w+ .*)?\n/gm, ''), exitCode]).toEqual(['', 0])
  return JSON.parse(out)
}

const FULL = {
  code: 'disk_full',
  message: 'The disk of DISK/data is full: what was stored before is kept. Free some space and do it again',
}

describe.skipIf(!canMount)('on a disk of its own (skipped where it cannot be mounted)', () => {
  test('committed data stays, and the rest can be written later', async () => {
    const result = await run(
      8,
      `const store = openStore(data)
       const acknowledged = []
       let refused = null
       for (let n = 0; refused === null; n++) {
         refused = await rejection(put(store, 'KX' + n))
         if (refused === null) acknowledged.push('KX' + n)
       }
       const again = await rejection(put(store, 'KXAGAIN'))
       const seen = await stored(store)
       await store.close()
       const reopened = openStore(data)
       const markets = await stored(reopened)
       const blocks = await Promise.all(markets.map((market) => lengthOf(reopened, market)))
       await reopened.close()
       say({ refused, again, count: acknowledged.length, seen: acknowledged.sort().join() === seen.sort().join(),
         isStored: markets.sort().join() === seen.join(), whole: blocks.every((length) => length === 100_000) })`,
    )
    expect(result).toEqual({
      refused: FULL,
      again: FULL,
      count: expect.any(Number),
      seen: true,
      isStored: true,
      whole: true,
    })
    expect((result as { count: number }).count).toBeGreaterThan(40)
  })

  test('a load that did not fit is whole when it is repeated with room', async () => {
    const capture = join(mkdtempSync(join(tmpdir(), 'backbook-test-')), 'c.ndjson')
    const lines = Array.from({ length: 40_000 }, (_, n) => {
      const time = 1_786_363_200_000 + n * 10
      const id = Bun.hash(`${n}`).toString(36) + Bun.hash(`x${n}`).toString(36)
      const msg = { trade_id: id, market_ticker: `KXT-${n % 20}`, yes_price_dollars: '0.4800', count_fp: '1.00' }
      const times = { taker_side: 'yes', ts: Math.floor(time / 1_000), ts_ms: time }
      return JSON.stringify({ type: 'trade', sid: 1, seq: n, msg: { ...msg, ...times } })
    })
    await Bun.write(capture, lines.join('\n'))
    const result = await run(
      24,
      `const capture = process.argv[2]
       const store = openStore(data)
       await put(store, 'KXBEFORE')
       fill(200_000)
       const refused = await rejection(loadCapture(store, data, capture, () => {}))
       await store.close()
       const reopened = openStore(data)
       const damaged = (await verifyStore(reopened, () => {})).damage.filter(({ market }) => market !== 'KXBEFORE')
       const before = await lengthOf(reopened, 'KXBEFORE')
       makeRoom()
       const { records, recordsAdded } = await loadCapture(reopened, data, capture, () => {})
       const again = await loadCapture(reopened, data, capture, () => {})
       const damagedAfter = (await verifyStore(reopened, () => {})).damage.filter(({ market }) => market !== 'KXBEFORE')
       await reopened.close()
       say({ refused, damaged, before, records, recordsAdded, again: again.recordsAdded, damagedAfter })`,
      [capture],
    )
    rmSync(join(capture, '..'), { recursive: true })
    const after = { records: 40_000, recordsAdded: 40_000, again: 0, damagedAfter: [] }
    expect(result).toEqual({ refused: FULL, damaged: [], before: 100_000, ...after })
  })

  test('a new store, a temporary file and a reject file report a full disk too', async () => {
    const result = await run(
      4,
      `mkdirSync(data)
       const spill = new SpillFile(data)
       const rejects = new RejectFile(data, 'c.ndjson')
       fill(0)
       const opening = failure(() => openStore(data))
       const files = [existsSync(join(data, 'store', 'data.mdb')), existsSync(join(data, 'store', 'lock.mdb'))]
       const others = [failure(() => spill.write(noise(100_000))), failure(() => rejects.add(1, 'why', noise(100_000)))]
       makeRoom()
       const store = openStore(data)
       await put(store, 'KX')
       const later = readSpilled(spill.write(noise(100_000))).length
       say({ opening, files, others, later, stored: await stored(store) })
       await store.close()`,
    )
    expect(result).toEqual({
      opening: {
        code: 'disk_full',
        message: expect.stringContaining('A new store needs 1.0 MB on the disk of DISK/data'),
      },
      files: [false, false],
      others: [FULL, FULL],
      later: 100_000,
      stored: ['KX'],
    })
  })

  test('compact and backup check for room first, and leave no files', async () => {
    const result = await run(
      16,
      `const store = openStore(data)
       for (let n = 0; n < 40; n++) await put(store, 'KX' + n)
       await store.close()
       fill(2_000_000)
       const options = { verify: false, onProgress: () => {} }
       const compact = await rejection(compactStore(data, () => {}))
       const backup = await rejection(makeBackup({ data, accountsFile: null }, join(disk, 'backup'), options))
       const left = [...new Bun.Glob('**/*').scanSync({ cwd: disk, dot: true })].sort()
       const again = openStore(data)
       say({ compact, backup, left, stored: (await stored(again)).length })
       await again.close()`,
    )
    const needs = (what: string) => expect.stringMatching(new RegExp(`^${what} needs [0-9.]+ MB on the disk of DISK/`))
    expect(result).toEqual({
      compact: { code: 'disk_full', message: needs('The compacted store') },
      backup: { code: 'disk_full', message: needs('The backup') },
      left: ['ballast', 'data/store/data.mdb', 'data/store/lock.mdb'],
      stored: 40,
    })
  })

  test('usage that cannot be written waits until it can', async () => {
    const result = await run(
      8,
      `mkdirSync(data)
       let failures = 0
       const url = 'sqlite://' + join(data, 'accounts.sqlite')
       const accounts = await openAccounts(url, { usageNotWritten: () => failures++ })
       const { secret } = await accounts.createKey({ userId: 'ann', name: 'a', plan: 'pro' })
       const { key } = await accounts.authenticate(secret)
       fill(0)
       const refused = await rejection((async () => {
         for (let n = 0; n < 1_000; n++) await accounts.createKey({ userId: 'bob' + n, name: 'a'.repeat(200), plan: undefined })
       })())
       await accounts.meter.ready(key)
       for (let n = 0; n < 10; n++) {
         const call = { method: 'GET', path: '/kalshi/market/list', venue: 'kalshi', market: null, isBillable: true }
         accounts.meter.settle(accounts.meter.admit(key, call), 200)
       }
       await Bun.sleep(1_500)
       makeRoom()
       say({ refused: refused && refused.message, calls: (await accounts.usage('ann')).calls, failures: failures > 0 })
       await accounts.close()`,
    )
    expect(result).toEqual({ refused: 'The accounts cannot be read or written now', calls: 10, failures: true })
  })
})

test.each([
  [{ code: constants.errno.ENOSPC }, 'disk_full'],
  [{ code: constants.errno.EDQUOT }, 'disk_full'],
  [{ errno: -constants.errno.ENOSPC, code: 'ENOSPC' }, 'disk_full'],
  [{ code: constants.errno.EIO }, 'store_unavailable'],
  [{ code: constants.errno.EFBIG }, 'store_unavailable'],
])('a failure with %j is %s', (fields, code) => {
  expect(writeFailure(Object.assign(new Error('Input/output error'), fields), tmpdir())).toMatchObject({ code })
})

test('any other failure stays unchanged', () => {
  const bug = new TypeError('undefined is not a function')
  expect(writeFailure(bug, tmpdir())).toBe(bug)
})
