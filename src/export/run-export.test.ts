// Tests the files of an export: they are made if missing or outdated, each from one version of its day.

import { afterEach, expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BookEntry } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import { TemporaryFolders } from '../../test/support/disk/temporary-folders.ts'
import { fakeCatalogue, head } from '../../test/support/server.ts'
import { ExportFolder } from './export-folder.ts'
import { type ExportOrder, runExport } from './run-export.ts'
import type { ExportTarget } from './target.ts'

const folders = new TemporaryFolders()
afterEach(() => folders.remove())

const BOOKS = ['a', 'b'].map((id) => ({ id }) as BookEntry)

function made() {
  const folder = join(folders.make(), 'out')
  const state = { revision: 1, version: 1, onWrite: () => {}, written: [] as string[], refreshed: 0, secret: 7 }
  const target: ExportTarget = {
    ...{ name: 'made', about: '', options: [] },
    get version() {
      return state.version
    },
    async writeDay(_, { date, books, head: { revision } }, begin) {
      state.written.push(date)
      state.onWrite()
      const file = begin()
      file.write(new TextEncoder().encode(`${revision} ${books.join()}`))
      file.finish(`days/${date}`, books.length)
      return { figures: { quotes: books.length }, notes: { revision } }
    },
    writeMarket({ market, days }, begin) {
      const file = begin()
      file.write(new TextEncoder().encode([...days].map(([date, notes]) => `${date} ${notes['revision']}`).join()))
      file.finish(`markets/${market}`, 1)
      return {}
    },
  }
  const store = {
    catalogue: fakeCatalogue({
      head: async () => (state.revision === 0 ? undefined : head({ revision: state.revision, books: BOOKS })),
      cursorSecret: async () => new Uint8Array(32).fill(state.secret),
    }),
    refresh: () => void state.refreshed++,
  } as unknown as Store
  const run = (dates: string[], assetId?: string, changes: Partial<ExportOrder> = {}) => {
    const markets = [{ venue: 'kalshi', market: 'A', known: undefined, dates }] as const
    return runExport(store, new ExportFolder(folder), { target, markets, assetId, options: {}, ...changes })
  }
  const text = (path: string) => readFileSync(join(folder, path), 'utf8')
  return { state, folder, run, text }
}

test('the report counts all files, also those that were up to date', async () => {
  const { state, run, text } = made()
  const dates = ['2026-08-10', '2026-08-11']
  const report = { markets: 1, days: 2, unchangedDays: 0, files: 3, rows: 5, figures: { quotes: 4 } }
  expect(await run(dates)).toMatchObject(report)
  expect(await run(dates)).toMatchObject({ ...report, unchangedDays: 2 })
  expect(state.written).toEqual(dates)
  expect(text('markets/A')).toBe('2026-08-10 1,2026-08-11 1')
})

test.each<[string, (state: ReturnType<typeof made>['state']) => void]>([
  ['the day', (state) => void state.revision++],
  ['the version of the target', (state) => void state.version++],
  ['the store', (state) => void state.secret++],
])('a change of %s makes the files again', async (_, change) => {
  const { state, run, text } = made()
  await run(['2026-08-10'])
  change(state)
  expect(await run(['2026-08-10'])).toMatchObject({ unchangedDays: 0 })
  expect([state.written.length, text('days/2026-08-10')]).toEqual([2, `${state.revision} a,b`])
})

test('a missing file is made again', async () => {
  const { state, folder, run } = made()
  await run(['2026-08-10'])
  rmSync(join(folder, 'days/2026-08-10'))
  await run(['2026-08-10'])
  expect([state.written.length, existsSync(join(folder, 'days/2026-08-10'))]).toEqual([2, true])
})

test('adds one book to those that an earlier run wrote', async () => {
  const { run, text } = made()
  await run(['2026-08-10'], 'b')
  expect(text('days/2026-08-10')).toBe('1 b')
  await run(['2026-08-10'], 'a')
  expect(text('days/2026-08-10')).toBe('1 a,b')
})

test('a day that changes while it is read is read again, at most five times', async () => {
  const { state, run, text } = made()
  let changes = 2
  state.onWrite = () => {
    if (changes-- > 0) state.revision++
  }
  await run(['2026-08-10'])
  expect([state.written.length, state.refreshed, text('days/2026-08-10')]).toEqual([3, 2, '3 a,b'])
  const busy = made()
  busy.state.onWrite = () => void busy.state.revision++
  await expect(busy.run(['2026-08-10'])).rejects.toThrow('the day 2026-08-10 of A changes faster than it is read')
  expect([busy.state.written.length, existsSync(join(busy.folder, 'days'))]).toEqual([5, false])
})

test('a failure leaves no files, and a day that no longer exists is reported', async () => {
  const { state, folder, run } = made()
  state.onWrite = () => {
    throw new Error('lost')
  }
  await expect(run(['2026-08-10'])).rejects.toThrow('lost')
  expect(existsSync(join(folder, 'days'))).toBe(false)
  state.revision = 0
  await expect(run(['2026-08-10'])).rejects.toMatchObject({ exitCode: 3 })
})
