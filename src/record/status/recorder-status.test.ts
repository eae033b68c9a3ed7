// Tests what the recorder reports about itself, and how its file is read.

import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canMount, onSmallDisk } from '../../../test/support/disk/small-disk.ts'
import { TemporaryFolders } from '../../../test/support/disk/temporary-folders.ts'
import { count, RecorderStats } from './recorder-stats.ts'
import { type RecorderStatus, type StatusMoment, statusOf } from './recorder-status.ts'
import { readStatus, writeStatus } from './status-file.ts'

const STARTED = 1_786_000_000_000

const moment = (given: Partial<StatusMoment> = {}): StatusMoment => ({
  nowMs: STARTED + 1_000,
  pid: process.pid,
  version: '0.2.0',
  recorderId: 'a',
  venues: ['polymarket', 'kalshi'],
  state: 'recording',
  diskFreeBytes: 1,
  before: null,
  ...given,
})

function made(given: Partial<StatusMoment> = {}): RecorderStatus {
  return statusOf(new RecorderStats(STARTED), moment(given))
}

test('frames a second are those since the status before', () => {
  const stats = new RecorderStats(STARTED)
  stats.venues.kalshi.frames = 100
  const before = statusOf(stats, moment())
  stats.venues.kalshi.frames = 350
  const { venues } = statusOf(stats, moment({ nowMs: STARTED + 3_000, before }))
  expect([before.venues.kalshi?.frames_per_second, venues.kalshi?.frames_per_second]).toEqual([0, 125])
})

test('silence differs from never having received data', () => {
  const stats = new RecorderStats(STARTED)
  stats.venues.kalshi.lastFrameMs = STARTED + 400
  const { venues } = statusOf(stats, moment())
  expect([venues.kalshi?.silence_ms, venues.kalshi?.data_silence_ms]).toEqual([600, null])
})

test('the message age is that of the last message, and the maximum of the last minute', () => {
  const stats = new RecorderStats(STARTED)
  const { messageAge } = stats.venues.kalshi
  const kalshiStatus = () => statusOf(stats, moment()).venues.kalshi!
  expect([kalshiStatus().message_age_ms, kalshiStatus().message_age_ms_max]).toEqual([null, null])
  messageAge.add(70, STARTED)
  messageAge.add(20.4, STARTED + 10)
  expect([kalshiStatus().message_age_ms, kalshiStatus().message_age_ms_max]).toEqual([20, 70])
  for (let second = 1; second <= 60; second++) messageAge.add(30, STARTED + second * 1_000)
  expect(kalshiStatus().message_age_ms_max).toBe(70)
  messageAge.add(31, STARTED + 61_000)
  expect(kalshiStatus().message_age_ms_max).toBe(31)
})

test('a venue that is not recorded is left out', () => {
  expect(Object.keys(made({ venues: ['kalshi'] }).venues)).toEqual(['kalshi'])
})

test('reports counts by kind, and problems', () => {
  const stats = new RecorderStats(STARTED)
  count(stats.venues.polymarket.gaps, 'disconnect')
  count(stats.venues.polymarket.gaps, 'disconnect', 2)
  stats.problems.set('disk', 'the disk of data is full')
  const status = statusOf(stats, moment())
  expect(status.venues.polymarket?.gaps).toEqual({ disconnect: 3 })
  expect(status.problems).toEqual(['the disk of data is full'])
})

test('the lag is that of the last commit, and the maximum of the last 60 commits', () => {
  const stats = new RecorderStats(STARTED)
  expect(statusOf(stats, moment()).loading.lag_ms).toBeNull()
  stats.addLag(9_000)
  for (let i = 0; i < 59; i++) stats.addLag(100 + i)
  expect(statusOf(stats, moment()).loading).toMatchObject({ lag_ms: 158, lag_ms_max: 9_000 })
  stats.addLag(50)
  expect(statusOf(stats, moment()).loading).toMatchObject({ lag_ms: 50, lag_ms_max: 158 })
})

const folders = new TemporaryFolders()
afterAll(() => folders.remove())

test('the file is read as it was written, and no temporary file is left', () => {
  const data = folders.make()
  expect(readStatus(data, STARTED)).toBeNull()
  writeStatus(data, made())
  writeStatus(data, made({ state: 'disk_full' }))
  expect(readStatus(data, STARTED + 1_500)).toMatchObject({ state: 'disk_full', ageMs: 500 })
  expect(readdirSync(join(data, 'recorder'))).toEqual(['status.json'])
})

test('a recorder that writes nothing for 15 s, or whose process has ended, is gone', () => {
  const data = folders.make()
  writeStatus(data, made())
  expect(readStatus(data, STARTED + 16_000)?.state).toBe('recording')
  expect(readStatus(data, STARTED + 16_001)?.state).toBe('gone')
  writeStatus(data, made({ pid: 2 ** 22 + 1 }))
  expect(readStatus(data, STARTED + 1_000)?.state).toBe('gone')
  writeStatus(data, made({ pid: 2 ** 22 + 1, state: 'stopped' }))
  expect(readStatus(data, STARTED + 10 ** 9)?.state).toBe('stopped')
})

test('a file that is not a recorder status is ignored', () => {
  const data = folders.make()
  mkdirSync(join(data, 'recorder'))
  for (const text of ['', '{', 'null', '{}', '{"updated_at":1,"state":"new"}']) {
    writeFileSync(join(data, 'recorder', 'status.json'), text)
    expect(readStatus(data, STARTED)).toBeNull()
  }
})

test.skipIf(!canMount)('on a disk that is full it is written over (skipped without mounts)', async () => {
  const modules = ['status/status-file.ts', 'status/recorder-status.ts', 'status/recorder-stats.ts']
  const [file, status, statsModule] = modules.map((path) => join(import.meta.dir, '..', path))
  const { out, err } = await onSmallDisk(
    1,
    `
      import { writeFileSync } from 'node:fs'
      import { readStatus, writeStatus } from '${file}'
      import { statusOf } from '${status}'
      import { RecorderStats } from '${statsModule}'
      const folder = process.argv[1]
      const moment = { nowMs: 1, pid: process.pid, version: '0', recorderId: 'a', venues: [], diskFreeBytes: 0, before: null }
      const write = (state) => writeStatus(folder, statusOf(new RecorderStats(0), { ...moment, state }))
      write('recording')
      try { writeFileSync(folder + '/filler', new Uint8Array(2 << 20)) } catch {}
      write('disk_full')
      console.log(readStatus(folder, 1).state)
    `,
  )
  expect([out, err]).toEqual(['disk_full\n', ''])
})
