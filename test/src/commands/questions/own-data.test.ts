// Commands of the operator return data that the endpoints do not. They also accept times in several spellings.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { CONDITION, DAY, kalshiDelta, kalshiSnapshot, NOON, book as snapshot, TICKER } from '../../../model/lines.ts'
import { runBackbook } from '../../../support/programs/program.ts'
import { TestStore } from '../../../support/store.ts'

const EARLY = '2026-01-05'
const EARLY_MS = Date.parse(`${EARLY}T12:00:00Z`)
let store: TestStore
beforeAll(async () => {
  store = new TestStore()
  const kalshi = [
    kalshiSnapshot([['0.2000', '5.00']], [['0.3000', '7.00']]),
    kalshiDelta(0, '0.2200', '1.00'),
    kalshiDelta(7_500, '0.2100', '1.00'),
  ]
  const polymarket = snapshot(EARLY_MS - NOON, [['0.40', '10']], [['0.45', '20']], '111')
  await store.loadLines(
    'all.ndjson',
    [...kalshi, polymarket].map((line) => JSON.stringify(line)),
  )
  await store.store.flushed()
})
afterAll(() => store.close())

const run = (line: string) => runBackbook([...line.split(' '), '--data', store.folder])

test.each(['', `--date ${EARLY}`, `--start ${EARLY} --end ${EARLY}`, '--asset-id 111'])(
  'export %s has Polymarket records from before the first date of the endpoints',
  async (words) => {
    const line = `export --venue polymarket --market ${CONDITION} ${words}`.trim()
    const { out, err, exitCode } = await run(line)
    expect([err, exitCode]).toEqual(['', 0])
    expect(out.trimEnd().split('\n')).toHaveLength(1)
    expect(JSON.parse(out)).toMatchObject({ type: 'snapshot', timestamp: EARLY_MS })
  },
)

test.each(['Z', '.000Z'])('an end without a fraction includes its whole second: 12:00:07%s', async (rest) => {
  const window = (start: string, end: string) =>
    run(`summary --venue kalshi --market ${TICKER} --resolution 1 --json --start ${start} --end ${end}`)
  const written = JSON.parse((await window(`${DAY}T12:00:00Z`, `${DAY}T12:00:07${rest}`)).out)
  const unix = JSON.parse((await window(String(NOON / 1_000), String(NOON / 1_000 + 7))).out)
  const counts = ({ data }: { data: { quote_count: number }[] }) => data.map(({ quote_count }) => quote_count)
  // The last quote is half a second after the start of its bucket, so only the whole second includes it.
  expect(counts(unix)).toEqual([2, 0, 0, 0, 0, 0, 0, 1])
  expect(counts(written)).toEqual([2, 0, 0, 0, 0, 0, 0, rest === 'Z' ? 1 : 0])
})
