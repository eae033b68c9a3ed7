// `delete` removes what was requested, reports what it removes, and never removes without confirmation.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { CONDITION, commandStore, DAY, DAY_AFTER, TICKER } from '../../../test/support/command-store.ts'
import { runBackbook } from '../../../test/support/programs/program.ts'
import type { TestStore } from '../../../test/support/store.ts'

const MAIN = join(import.meta.dir, '../../main.ts')
let store: TestStore
beforeEach(async () => {
  store = await commandStore()
})
afterEach(() => store.close())

const run = (...words: string[]) => runBackbook(['delete', '--data', store.folder, ...words])
const dates = async () => {
  store.store.refresh()
  return store.dates('kalshi', TICKER)
}

test('a dry run lists what it would remove, and removes nothing', async () => {
  const { out, exitCode } = await run('--market', TICKER, '--dry-run')
  expect(exitCode).toBe(0)
  expect(out).toMatch(
    /2026-08-10 +120,001\n2026-08-11 +3\n120,004 records in 2 days of the kalshi market KXTEST-1 would/,
  )
  expect(await dates()).toEqual([DAY, DAY_AFTER])
})

test('one day, then the market, with --yes', async () => {
  const first = await run('--market', TICKER, '--date', DAY, '--venue', 'kalshi', '--yes', '--json')
  const report = {
    venue: 'kalshi',
    market: TICKER,
    removed: true,
    days: [{ date: DAY, records: 120_001 }],
    metadata: false,
  }
  expect(JSON.parse(first.out)).toEqual({ ...report, records: 120_001 })
  expect(await dates()).toEqual([DAY_AFTER])
  expect((await run('--market', CONDITION, '--yes')).out).toContain('3 records in 1 day of the polymarket market')
  expect((await run('--market', TICKER, '--yes')).exitCode).toBe(0)
  const { out } = await runBackbook(['markets', '--data', store.folder, '--json'])
  expect(JSON.parse(out)).toMatchObject({ markets: [], total_count: 0 })
}, 30_000)

test('delete removes the metadata of a market without records, unless --keep-metadata is given', async () => {
  const market = { ticker: 'KXTOLD-1', event_ticker: 'KXTOLD', title: 'Told' }
  await store.loadLines('m.json', [JSON.stringify({ market })])
  const known = async () => (await store.store.catalogue.knownMarket('kalshi', 'KXTOLD-1'))?.card.title
  expect(await run('--market', 'KXTOLD-1', '--keep-metadata', '--yes')).toMatchObject({ exitCode: 3 })
  expect(await known()).toBe('Told')
  expect((await run('--market', 'KXTOLD-1', '--yes')).out).toContain('KXTOLD-1, and its metadata, removed')
  store.store.refresh()
  expect(await known()).toBeUndefined()
}, 30_000)

test('without a terminal it wants --yes; a market that is not stored ends with 3, a wrong date with 2', async () => {
  const unconfirmed = await run('--market', TICKER)
  expect(unconfirmed).toMatchObject({ exitCode: 2, out: '' })
  expect(unconfirmed.err).toContain('give --yes')
  expect(await run('--market', 'KXNONE', '--yes')).toMatchObject({
    exitCode: 3,
    err: 'backbook: nothing is stored of the market "KXNONE"\n',
  })
  expect(await run('--market', TICKER, '--date', '2026-08-20', '--venue', 'kalshi', '--yes')).toMatchObject({
    exitCode: 3,
    err: `backbook: nothing is stored of the kalshi market "${TICKER}" on 2026-08-20\n`,
  })
  expect(await run('--market', TICKER, '--date', '2026-02-30', '--yes')).toMatchObject({
    exitCode: 2,
    err: 'backbook: --date must be a UTC date written YYYY-MM-DD, got "2026-02-30"\n',
  })
  expect(await dates()).toEqual([DAY, DAY_AFTER])
}, 30_000)

test.each([
  ['n', [DAY, DAY_AFTER], 1],
  ['y', [DAY], 0],
])(
  'on a terminal it asks: %s',
  async (answer, left, exitCode) => {
    let shown = ''
    let isAnswered = false
    const words = ['delete', '--data', store.folder, '--market', TICKER, '--date', DAY_AFTER]
    const child = Bun.spawn([process.execPath, MAIN, ...words], {
      env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm' },
      terminal: {
        data: (terminal, bytes) => {
          shown += new TextDecoder().decode(bytes)
          if (isAnswered || !shown.includes('Remove this?')) return
          isAnswered = true
          terminal.write(`${answer}\r`)
        },
      },
    })
    expect(await child.exited).toBe(exitCode)
    child.terminal?.close()
    expect(shown).toContain('3 records in 1 day of the kalshi market KXTEST-1 would be removed')
    expect(await dates()).toEqual(left)
  },
  30_000,
)
