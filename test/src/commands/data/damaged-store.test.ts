// The output of commands on a store with a damaged block, head or index. They write no wrong files or records.

import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openEnvironment, storeFile } from '../../../../storage/lmdb/environment.ts'
import { LmdbRows } from '../../../../storage/lmdb/lmdb-rows.ts'
import { dayKey, entryKey, keyOf } from '../../../../storage/rows/keys.ts'
import { DAY, kalshiDelta, kalshiSnapshot, TICKER } from '../../../model/lines.ts'
import { nameOf, namesFrom, putMarkets } from '../../../support/made-markets.ts'
import { runBackbook, runProcess } from '../../../support/programs/program.ts'
import { temporaryFolder } from '../../../support/server.ts'
import { withStore } from '../../../support/store.ts'

const OTHER = 'KXTEST-2'
const PAGE = 4_096

const ROWS = {
  block: keyOf('b', 'kalshi', TICKER, DAY, '1'),
  head: dayKey({ venue: 'kalshi', market: TICKER, date: DAY }),
  entry: entryKey('kalshi', TICKER),
}

/** Runs commands on a store of two markets. The end of one row is missing. */
const onDamaged = (what: keyof typeof ROWS, run: (data: string) => Promise<void>) =>
  withStore(async (store) => {
    const lines = [kalshiSnapshot([['0.4800', '5.00']]), kalshiDelta(0, '0.4900', '1.00')].map((line) =>
      JSON.stringify(line),
    )
    await store.loadLines('c.ndjson', [...lines, ...lines.map((line) => line.replaceAll(TICKER, OTHER))])
    await store.store.flushed()
    const { databases, close } = openEnvironment(store.folder)
    const rows = new LmdbRows(databases, store.folder)
    const value = rows.read(ROWS[what])!.slice(0, -1)
    await rows.commit({ expect: [], put: [{ key: ROWS[what], value }], remove: [] })
    await close()
    await run(store.folder)
  })

test('verify names the place, and ends with 1', () =>
  onDamaged('block', async (data) => {
    const { out, err, exitCode } = await runBackbook(['verify', '--data', data])
    expect([err, exitCode]).toEqual(['backbook: 1 place is damaged\n', 1])
    expect(out).toContain(`damaged: kalshi ${TICKER} ${DAY}: block 0: `)
  }))

test('verify of a damaged entry of a market reports it, and reads all days of this and other markets', () =>
  onDamaged('entry', async (data) => {
    const { out, err, exitCode } = await runBackbook(['verify', '--data', data])
    expect([err, exitCode]).toEqual(['backbook: 1 place is damaged\n', 1])
    expect(out).toStartWith('4 records in 2 blocks of 2 market days read\n')
    expect(out.match(/^damaged: .*$/gm)).toEqual([expect.stringContaining(TICKER)])
  }))

test.each(['export', `summary --date ${DAY} --format csv --resolution 60`])(
  '%s ends with 1 and leaves no file',
  (words) =>
    onDamaged('block', async (data) => {
      using folder = temporaryFolder()
      const market = ['--venue', 'kalshi', '--market', TICKER, '--data', data, '-o', join(folder.path, 'x')]
      const { out, err, exitCode } = await runBackbook([...words.split(' '), ...market])
      expect([out, exitCode]).toEqual(['', 1])
      expect(err).toMatch(/^backbook: [^\n]+: run verify to see where\n$/)
      expect(readdirSync(folder.path)).toEqual([])
    }),
)

test('markets of a damaged entry ends with 1', () =>
  onDamaged('entry', async (data) => {
    const { out, err, exitCode } = await runBackbook(['markets', '--json', '--data', data])
    expect([out, exitCode]).toEqual(['', 1])
    expect(err).toMatch(/^backbook: [^\n]+: run verify to see where\n$/)
  }))

test('verify reports a damaged index that ends the process that reads it', () =>
  withStore(async (store) => {
    await putMarkets(store.store, namesFrom(0, 300), 6_000)
    await store.store.flushed()
    using folder = temporaryFolder()
    const file = readFileSync(storeFile(store.folder))
    // LMDB asserts that a branch refers to a leaf.
    for (let at = 2 * PAGE; at < file.length; at += PAGE) {
      const isLeaf = file.readUInt16LE(at + 18) === 2
      if (isLeaf && file.subarray(at, at + PAGE).includes(nameOf(100))) file.fill(0, at, at + PAGE)
    }
    mkdirSync(join(folder.path, 'store'))
    await Bun.write(storeFile(folder.path), file)
    const sentence = `the index of the store in ${folder.path}: the process that read it ended with SIGABRT`
    const text = await runProcess(['verify', '--data', folder.path])
    expect(text.out).toBe(`0 records in 0 blocks of 0 market days read\ndamaged: ${sentence}\n`)
    expect([text.err, text.exitCode]).toEqual([expect.stringMatching(/\nbackbook: 1 place is damaged\n$/), 1])
    const json = await runProcess(['verify', '--json', '--data', folder.path])
    expect([JSON.parse(json.out), json.exitCode]).toEqual([
      { market_days: 0, blocks: 0, records: 0, damage: [], store_damage: [sentence] },
      1,
    ])
  }))
