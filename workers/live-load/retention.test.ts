// A segment is removed when it is old and the store has every record of it; otherwise it stays, with the reason.

import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { kalshiDelta } from '../../test/model/lines.ts'
import { withStore } from '../../test/support/store.ts'
import { loadedFolder } from '../segment/segment-folder.ts'
import { Retention } from './retention.ts'

const NOW = Date.parse('2026-08-20T12:00:00Z')
const HOUR = 3_600_000

test('the oldest first, each once, and none that is too young', () =>
  withStore(async (store) => {
    const line = (ms: number) => `${JSON.stringify(kalshiDelta(ms, '0.5', '1'))}\n`
    const segments = { '2026-08-10': line(0), '2026-08-11': line(1), '2026-08-13': line(2), '2026-08-09': 'no zstd' }
    const nameOf = (date: string) => `kalshi/${date}/120000-r-c.ndjson.zst`
    const pathOf = (date: string) => join(loadedFolder(store.folder), nameOf(date))
    for (const [date, text] of Object.entries(segments)) {
      mkdirSync(dirname(pathOf(date)), { recursive: true })
      writeFileSync(pathOf(date), date === '2026-08-09' ? text : Bun.zstdCompressSync(Buffer.from(text)))
    }
    await store.loadLines('capture.ndjson', [line(1).trim()])
    const retention = new Retention(store.store, store.folder, 8)
    const reports = []
    for (let i = 0; i < 4; i++) reports.push(await retention.removeNext(NOW + i))
    expect(reports.map((report) => report && [report.segment, report.kept?.replace(store.folder, '') ?? null])).toEqual(
      [
        [
          nameOf('2026-08-09'),
          'Cannot read the rest of /segments/loaded/kalshi/2026-08-09/120000-r-c.ndjson.zst: no zstd data in the frame that begins at byte 0',
        ],
        [nameOf('2026-08-10'), 'the store did not have 1 of its records, and has them now'],
        [nameOf('2026-08-11'), null],
        undefined,
      ],
    )
    expect(Object.keys(segments).map((date) => existsSync(pathOf(date)))).toEqual([true, false, true, true])
    expect(await retention.removeNext(NOW + HOUR)).toBeUndefined()
  }))
