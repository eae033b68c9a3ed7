// Tests the files of days: each is made once, stays while there is room, and is made again if it was removed.

import { afterEach, expect, test } from 'bun:test'
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { TemporaryFolders } from '../../test/support/disk/temporary-folders.ts'
import { head } from '../../test/support/server.ts'
import { storedName } from '../../workers/files/day-file.ts'
import type { Workers } from '../../workers/requests.ts'
import { DayFiles, type DayOfFile } from './day-files.ts'

const folders = new TemporaryFolders()
afterEach(() => folders.remove())

const dayOf = (market: string, revision = 1): DayOfFile => ({
  key: { venue: 'kalshi', market, date: '2026-08-10' },
  name: 'records.ndjson.zst',
  head: head({ revision }),
})

function made(bytesMax = 1 << 20, data = folders.make()) {
  const requests: string[] = []
  let nowMs = 0
  const stored = { revision: 1 }
  const ask = async (_: unknown, { market, folder }: { market: string; folder: string }) => {
    requests.push(market)
    const sha256 = new Bun.CryptoHasher('sha256').update(`${market} ${stored.revision}`).digest('hex')
    writeFileSync(join(folder, storedName(sha256)), 'x')
    return { bytes: 1, sha256, rows: 1, dayVersion: `${stored.revision}.1.0` }
  }
  const files = new DayFiles({
    ...{ catalogue: { cursorSecret: async () => new Uint8Array(32) }, data, bytesMax, nowMs: () => nowMs++ },
    workers: { ask } as unknown as Pick<Workers, 'ask'>,
  })
  return { files, requests, stored, data, folder: join(data, 'day-files') }
}

test('a file is made at the first request, once for all that wait for it', async () => {
  const { files, requests } = made()
  expect(await files.known(dayOf('A'))).toBeUndefined()
  const [one, other] = await Promise.all([files.described(dayOf('A')), files.onDisk(dayOf('A'))])
  expect([requests, other.sha256, existsSync(other.path)]).toEqual([['A'], one.sha256, true])
  expect(await files.known(dayOf('A'))).toEqual(one)
  await files.described(dayOf('A'))
  await files.described(dayOf('B'))
  expect(requests).toEqual(['A', 'B'])
})

test('a changed day gets a new file; one that changes meanwhile is stored as the version read', async () => {
  const { files, requests, stored } = made()
  const before = await files.described(dayOf('A', 1))
  stored.revision = 2
  expect(await files.known(dayOf('A', 2))).toBeUndefined()
  const after = await files.described(dayOf('A', 2))
  expect(after.sha256).not.toBe(before.sha256)
  stored.revision = 4
  await files.described(dayOf('A', 3))
  expect([await files.known(dayOf('A', 3)), requests]).toEqual([undefined, ['A', 'A', 'A']])
  expect(await files.known(dayOf('A', 4))).toBeDefined()
})

test('a removed file is made again, and the file used longest ago is removed to make room', async () => {
  const { files, requests, folder } = made(2 * 4_096)
  const { path } = await files.onDisk(dayOf('A'))
  rmSync(path)
  expect(existsSync((await files.onDisk(dayOf('A'))).path)).toBe(true)
  expect(requests).toEqual(['A', 'A'])
  await files.onDisk(dayOf('B'))
  await files.onDisk(dayOf('A'))
  const third = await files.onDisk(dayOf('C'))
  const left = readdirSync(folder).filter((name) => name.endsWith('.file'))
  expect(left.sort()).toEqual([basename(path), basename(third.path)].sort())
})

test('removes unfinished files after an hour', async () => {
  const { files, folder, data } = made()
  const { path } = await files.onDisk(dayOf('A'))
  const [young, old] = ['young.tmp', 'old.tmp'].map((name) => join(folder, name)) as [string, string]
  for (const each of [young, old]) writeFileSync(each, '')
  const hourAgo = new Date(Date.now() - 3_601_000)
  for (const each of [path, old]) utimesSync(each, hourAgo, hourAgo)
  await made(1 << 20, data).files.known(dayOf('A'))
  expect([path, young, old].map((each) => existsSync(each))).toEqual([true, true, false])
})
