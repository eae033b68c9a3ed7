// Trades in any order come out market by market and by time, each once, however many parts the file is read in.

import { expect, test } from 'bun:test'
import { CollectedLines } from '../../../test/support/import/collected-lines.ts'
import { Random } from '../../synthetic/random.ts'
import type { ArchiveOptions } from '../archive.ts'
import { type Trade, tradeParts } from './trade-shares.ts'

const MARKETS = ['KXA', 'KXB', 'KXC', 'KXD', 'KXE']
const file = { name: 'a.json', byteLength: 100 } as never

async function imported(trades: Trade[], shares: number, of: Partial<ArchiveOptions> = {}) {
  const found: string[] = []
  const options = {
    markets: null,
    after: null,
    onMarket: (market: string) => void found.push(market),
    ...of,
  } as ArchiveOptions
  const source = {
    messageBytes: shares * 10,
    read: async (take: (trade: Trade) => void, reject: (row: number, reason: string, text: string) => void) => {
      for (const trade of trades) take(trade)
      reject(99, 'no market', 'x')
    },
  }
  const [lines, places, sums] = [new CollectedLines(), [] as (string | null)[], { rows: 0, again: 0 }]
  for await (const part of tradeParts(file, options, source, 10)) {
    const { rows, skipped = {} } = await part.read(lines, () => undefined)
    places.push(part.next)
    sums.rows += rows
    sums.again += Object.values(skipped).reduce((sum, count) => sum + count, 0)
  }
  return { lines: lines.all, rejects: lines.rejects.length, places, sums, found }
}

function expected(trades: Trade[]): Map<string, string[]> {
  const byMarket = Map.groupBy(trades, ({ market }) => market)
  return new Map(
    [...byMarket].map(([market, of]) => {
      const sorted = of.toSorted((a, b) => a.timeUs - b.timeUs || a.row - b.row)
      const first = sorted.filter(({ timeUs, message }, i) => {
        return !sorted.slice(0, i).some((other) => other.timeUs === timeUs && other.message === message)
      })
      return [market, first.map(({ row, message }) => `${row}: {"type":"trade","ticker":"${market}","msg":${message}}`)]
    }),
  )
}

test.each([1, 2, 7])('%d shares', async (shares) => {
  const random = new Random(shares, 'trades')
  const trades = Array.from(
    { length: 200 },
    (_, row): Trade => ({
      ...{ market: random.pick(MARKETS), timeUs: random.below(30), row },
      message: JSON.stringify({ id: random.below(3) }),
    }),
  )
  const { lines, rejects, places, sums, found } = await imported(trades, shares)
  const wanted = expected(trades)
  expect(Map.groupBy(lines, (line) => /"ticker":"(\w+)"/.exec(line)![1]!)).toEqual(wanted)
  expect(
    lines.map((line) => /"ticker":"(\w+)"/.exec(line)![1]!).filter((market, i, all) => market !== all[i - 1]),
  ).toEqual(found)
  expect([rejects, sums.rows, sums.rows - 1 - lines.length]).toEqual([1, 201, sums.again])
  expect(places).toEqual(Array.from({ length: shares }, (_, i) => (i + 1 === shares ? null : `${i + 1}:${shares}`)))
})

test('chosen markets only, from a share on; a file that has changed since is refused', async () => {
  const trades = MARKETS.map((market, row): Trade => ({ market, timeUs: 1, row, message: { row } }))
  const { lines, found } = await imported(trades, 1, { markets: new Set(['KXC']) })
  expect([lines, found]).toEqual([['2: {"type":"trade","ticker":"KXC","msg":{"row":2}}'], ['KXC']])
  const rest = await imported(trades, 3, { after: '1:3' })
  expect([rest.rejects, rest.places]).toEqual([0, ['2:3', null]])
  await expect(imported(trades, 3, { after: '1:2' })).rejects.toThrow(
    'a.json has changed since a part of it was imported',
  )
})
