// The output of reading commands when there is nothing to show. An empty answer about a stored day is no failure. An
// empty answer about a day that is not stored ends with exit code 3. Both say that they are empty.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { book, CONDITION, DAY, kalshiDelta, kalshiSnapshot, TICKER } from '../../../model/lines.ts'
import { runWritingTo } from '../../../support/programs/program.ts'
import { temporaryFolder } from '../../../support/server.ts'
import { TestStore } from '../../../support/store.ts'

let store: TestStore
let folder: ReturnType<typeof temporaryFolder>
beforeAll(async () => {
  store = new TestStore()
  folder = temporaryFolder()
  const kalshi = [kalshiSnapshot([['0.2000', '5.00']], [['0.3000', '7.00']]), kalshiDelta(10, '0.2100', '1.50')]
  const lines = [...kalshi, book(0, [['0.40', '10']], [['0.45', '20']], '111')]
  await store.loadLines(
    'all.ndjson',
    lines.map((line) => JSON.stringify(line)),
  )
  await store.store.flushed()
})
afterAll(async () => {
  folder[Symbol.dispose]()
  await store.close()
})

const run = (line: string) => runWritingTo(folder.path, [...line.split(' '), '--data', store.folder])
const kalshi = (command: string) => `${command} --venue kalshi --market ${TICKER}`
const polymarket = (command: string) => `${command} --venue polymarket --market ${CONDITION}`

test.each([
  ['--limit 1', '1 of 2 markets: --offset 1 shows the next ones, a higher --limit more at once\n'],
  ['--limit 1 --offset 1', ''],
  ['--offset 2', '0 of 2 markets: --offset 2 is after the last one\n'],
  ['--prefix none', 'no such market is stored\n'],
])('markets %s says on stderr what is not shown', async (words, note) => {
  const { err, exitCode } = await run(`markets ${words}`)
  expect([err, exitCode]).toEqual([note, 0])
})

const HEAD = /^market,timestamp,[^\n]+\n$/
const SEE = ': the command coverage shows what is stored\n'
test.each([
  [
    `${kalshi('summary')} --date 2026-08-12`,
    HEAD,
    `backbook: no buckets of the kalshi market ${TICKER} in that time${SEE}`,
  ],
  [
    `${kalshi('summary')} --date 2026-08-12 --json`,
    /"data_points":0,"data":\[\]\}\n$/,
    `backbook: no buckets of the kalshi market ${TICKER} in that time${SEE}`,
  ],
  [
    `${kalshi('export')} --date 2026-08-12`,
    /^$/,
    `backbook: no records of the kalshi market ${TICKER} in that time${SEE}`,
  ],
  [
    `${kalshi('summary')} --date 2026-08-12 -o no.csv`,
    /^$/,
    `0 buckets in no.csv\nbackbook: no buckets of the kalshi market ${TICKER} in that time${SEE}`,
  ],
  [
    `${kalshi('changes')} --date 2026-08-12`,
    HEAD,
    `backbook: no changes of the kalshi market ${TICKER} in that time${SEE}`,
  ],
  [
    `${kalshi('depth-map')} --date 2026-08-12`,
    /^$/,
    `backbook: no sizes of the kalshi market ${TICKER} in that time${SEE}`,
  ],
  ...[/^2026-08-01T12:00:00\.000Z unknown\n/, /^\{.*"trust":"unknown".*\}\n$/].map(
    (answer, index): [string, RegExp, string] => [
      `${kalshi('book')} --at 2026-08-01T12:00:00Z${index === 0 ? '' : ' --json'}`,
      answer,
      `backbook: no book of the kalshi market ${TICKER} in that time${SEE}`,
    ],
  ),
  ['active --venue kalshi --date 2026-08-12', /^$/, 'backbook: no such market is stored on this date\n'],
  [
    'active --venue kalshi --date 2026-08-12 --json',
    /"data":\[\]/,
    'backbook: no such market is stored on this date\n',
  ],
])('%s is empty, and says so', async (line, answer, note) => {
  const { out, err, exitCode } = await run(line)
  expect([out, err, exitCode]).toEqual([expect.stringMatching(answer), note, 3])
})

test.each(['changes --date 2026-08-10 --record 1', 'book --at 2026-08-30', 'active --date 2026-08-10'])(
  '%s of stored data is no failure',
  async (words) => {
    const market = words.startsWith('active') ? '' : ` --market ${TICKER}`
    const { err, exitCode } = await run(`${words} --venue kalshi${market}`)
    expect([err, exitCode]).toEqual(['', 0])
  },
)

test('an answer about a stored day prints nothing on stderr', async () => {
  const { out, err, exitCode } = await run(`${polymarket('summary')} --date ${DAY} --asset-id 111 --fill none`)
  const rows = expect.stringMatching(/^market,asset_id,timestamp,[^\n]+\n0x[0-9a-f]+,111,\d+,/)
  expect([out, err, exitCode]).toEqual([rows, '', 0])
})

test.each(['export', 'summary --date 2026-08-10'])(
  '%s of a token that the market lacks names its tokens',
  async (words) => {
    const { out, err, exitCode } = await run(`${polymarket(words)} --asset-id 9`)
    const message = 'backbook: --asset-id must be a token of the market, 111, got "9"\n'
    expect([out, err, exitCode]).toEqual(['', message, 3])
  },
)
