// What commands tell of a store in which one block or head is damaged, and that nothing false is left behind.

import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import { DAY, kalshiDelta, kalshiSnapshot, TICKER } from '../../../model/lines.ts'
import { runBackbook } from '../../../support/programs/program.ts'
import { temporaryFolder } from '../../../support/server.ts'
import { withStore } from '../../../support/store.ts'

const OTHER = 'KXTEST-2'

/** Runs commands on a store of two markets, one of which lost the end of a block, a head or its own entry. */
const onDamaged = (database: 'blocks' | 'heads' | 'markets', run: (data: string) => Promise<void>) =>
  withStore(async (store) => {
    const lines = [kalshiSnapshot([['0.4800', '5.00']]), kalshiDelta(0, '0.4900', '1.00')].map((line) =>
      JSON.stringify(line),
    )
    await store.loadLines('c.ndjson', [...lines, ...lines.map((line) => line.replaceAll(TICKER, OTHER))])
    await store.store.flushed()
    const root = open({ path: join(store.folder, 'store'), encoding: 'binary', maxDbs: 12 })
    const entries = root.openDB<Buffer, (string | number)[]>({ name: database, encoding: 'binary' })
    const key = { blocks: ['kalshi', TICKER, DAY, 1], heads: ['kalshi', TICKER, DAY], markets: ['kalshi', TICKER] }[
      database
    ]
    entries.putSync(key, Buffer.from(entries.get(key)!).subarray(0, -1))
    await root.flushed
    await root.close()
    await run(store.folder)
  })

test('verify names the place, and ends with 1', () =>
  onDamaged('blocks', async (data) => {
    const { out, err, exitCode } = await runBackbook(['verify', '--data', data])
    expect([err, exitCode]).toEqual(['backbook: 1 place is damaged\n', 1])
    expect(out).toContain(`damaged: kalshi ${TICKER} ${DAY}: block 0: `)
  }))

test('verify of a damaged entry of a market reports it, and reads all days of this and other markets', () =>
  onDamaged('markets', async (data) => {
    const { out, err, exitCode } = await runBackbook(['verify', '--data', data])
    expect([err, exitCode]).toEqual(['backbook: 1 place is damaged\n', 1])
    expect(out).toStartWith('4 records in 2 blocks of 2 market days read\n')
    expect(out.match(/^damaged: .*$/gm)).toEqual([expect.stringContaining(TICKER)])
  }))

test.each(['--what records', '--what summary --resolution 60'])('export %s ends with 1, and leaves no file', (what) =>
  onDamaged('blocks', async (data) => {
    using folder = temporaryFolder()
    const market = ['--venue', 'kalshi', '--market', TICKER, '--data', data, '-o', join(folder.path, 'x')]
    const { out, err, exitCode } = await runBackbook(['export', ...what.split(' '), ...market])
    expect([out, exitCode]).toEqual(['', 1])
    expect(err).toMatch(/^backbook: [^\n]+: run verify to see where\n$/)
    expect(readdirSync(folder.path)).toEqual([])
  }),
)

test('markets shows the others, and ends with 1', () =>
  onDamaged('heads', async (data) => {
    const { out, err, exitCode } = await runBackbook(['markets', '--json', '--data', data])
    expect([err, exitCode]).toEqual(['backbook: damaged markets among these: 1: run verify to see where\n', 1])
    const { markets } = JSON.parse(out) as { markets: { records: number | null }[] }
    expect(markets.map(({ records }) => records)).toEqual([null, 2])
  }))
