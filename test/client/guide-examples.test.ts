// long: runs programs in other languages
// Runs the examples of the guide that are not client code: commands and requests. They work as typed, and print the
// shown output.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { DAY, kalshiDelta, kalshiSnapshot } from '../model/lines.ts'
import { type ServedDemo, serveDemo } from '../support/demo.ts'
import { runBackbook, runInShell } from '../support/programs/program.ts'
import { serveProcess } from '../support/programs/serve-process.ts'
import { temporaryFolder } from '../support/server.ts'

const PROJECT = join(import.meta.dir, '../..')
const folder = temporaryFolder()
const file = (name: string) => join(folder.path, name)
const page = (name: string) => Bun.file(join(PROJECT, 'docs', name)).text()
const blocksOf = (text: string, language: string) =>
  Array.from(text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g')), ([, block]) => block!)

let demo: ServedDemo
beforeAll(async () => {
  demo = await serveDemo()
  mkdirSync(file('data'))
  symlinkSync(demo.folder, file('data/demo'))
})
afterAll(async () => {
  await demo[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

/** Returns the output without numbers that depend on the machine or on the stored format, and without the alignment of
 *  columns. */
const likeness = (text: string) =>
  text
    .replaceAll(/[\d,.]+/g, '#')
    .replaceAll(/ +/g, ' ')
    .trim()

test('the commands of docs/commands.md print the shown output', async () => {
  const shown = blocksOf(await page('commands.md'), 'console').flatMap((block) => block.split(/^\$ /m).slice(1))
  const examples = shown.filter((each) => each.startsWith('backbook') && each.includes('--data data/demo'))
  expect(examples.length).toBeGreaterThan(4)
  for (const example of examples) {
    const [line, ...lines] = example.split('\n')
    const { out, err, exitCode } = await runInShell(line!, folder.path)
    expect([line, exitCode, likeness(out + err)]).toEqual([line!, 0, likeness(lines.join('\n'))])
  }
}, 60_000)

/** Removes the line breaks that make an answer readable. */
const joined = (text: string) => text.replaceAll(/\n */g, '')

const curl = Bun.which('curl') ? test : test.skip
curl(
  'the requests of docs/api.md return the shown answers',
  async () => {
    const text = await page('api.md')
    const variables = `B=${demo.url}/api/v1; AUTH='Authorization: Bearer ${demo.secret}';`
    const ids = text.match(/^[CAT]=\w[\w-]+$/gm)!.join('; ')
    const examples = [...text.matchAll(/```sh\n(curl -s [\s\S]*?)```(?:\n\n```(?:json|csv)\n([\s\S]*?)```)?/g)]
    expect(examples.length).toBeGreaterThan(3)
    for (const [, question, shown] of examples) {
      const { out } = await runInShell(`${variables}${ids}; ${question}`, folder.path)
      // The page shows an answer up to the first "…".
      const start = joined((shown ?? '{"market').split(/,? ?…/)[0]!)
      expect(joined(out)).toStartWith(start)
    }
  },
  30_000,
)

curl('the key of docs/accounts.md is made as it shows', async () => {
  const [, question, shown] = /```sh\n(curl [\s\S]*?)```\n\n```json\n([\s\S]*?)```/.exec(await page('accounts.md'))!
  const given = JSON.parse((await runInShell(`B=${demo.url}/api/v1; ${question}`, folder.path)).out)
  const example = JSON.parse(shown!)
  expect(Object.keys(given)).toEqual(Object.keys(example))
  expect(Object.keys(given.data)).toEqual(Object.keys(example.data))
})

test('the settings of docs/settings.md are printed as it shows', async () => {
  const [example] = blocksOf(await page('settings.md'), 'console')
  const [line, ...shown] = example!.slice(2).trimEnd().split('\n')
  const printed = (await runInShell(line!, folder.path)).out.split('\n').map((each) => each.replaceAll(/ +/g, ' '))
  for (const each of shown.filter((row) => row !== '…')) expect(printed).toContain(each.replaceAll(/ +/g, ' '))
})

test('loading twice adds nothing, as docs/time-and-order.md shows', async () => {
  const lines = [kalshiSnapshot([['0.2000', '5.00']], []), ...[1, 2].map((i) => kalshiDelta(i, '0.2100', '1.00'))]
  await Bun.write(file('a.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const [block] = blocksOf(await page('time-and-order.md'), 'console')
  for (const example of block!.split(/^\$ /m).slice(1)) {
    const [line, ...shown] = example.split('\n')
    const { out } = await runInShell(line!, folder.path)
    // Leaves out the duration and the rate, which depend on this machine. The counts must be right.
    const counts = (text: string) => text.replaceAll(/in \d+\.\d s.*/g, '').trim()
    expect(counts(out)).toBe(counts(shown.join('\n')))
  }
}, 30_000)

type Bucket = { timestamp: number; quote_count: number; is_forward_filled: boolean } & Record<string, number>

test('the example of docs/summaries.md has the buckets of its table', async () => {
  const text = await page('summaries.md')
  const lines = blocksOf(text, 'json')[0]!.replaceAll('\n ', ' ')
  await Bun.write(file('example.ndjson'), lines)
  await runBackbook(['ingest', 'example.ndjson', '--data', 'example'], { cwd: folder.path })
  const rows = Array.from(text.matchAll(/^\| (10:0\d \|.*) \|$/gm), ([, row]) =>
    row!.split('|').map((cell) => cell.trim()),
  )
  const table = rows.filter((row) => row.length === 9)
  expect(table).toHaveLength(5)
  for (const [index, fill] of ['observed', 'none', 'range'].entries()) {
    const window = ['--start', '2026-07-20T10:00:00Z', '--end', '2026-07-20T10:04:59.999Z']
    const words = ['summary', '--venue', 'kalshi', '--market', 'KXA-1', ...window, '--fill', fill, '--json']
    const { out } = await runBackbook([...words, '--data', 'example'], { cwd: folder.path })
    const given = (JSON.parse(out).data as Bucket[]).map((each) => {
      const time = new Date(each.timestamp).toISOString().slice(11, 16)
      const state = `${each['best_bid']} (${each['best_bid_size']}) | ${each['best_ask']} (${each['best_ask_size']})`
      return `${time} | ${each.quote_count} | ${each.is_forward_filled ? 'yes' : ''} | ${state} | ${each['mid_price']}`
    })
    const shown = table.filter((row) => row[6 + index] === 'yes').map((row) => row.slice(0, 6).join(' | '))
    expect([fill, ...given]).toEqual([fill, ...shown])
  }
}, 30_000)

test('the gap of docs/summaries.md has the buckets of its table', async () => {
  const time = (clock: string) => Date.parse(`2026-07-20T${clock}Z`)
  const market = 'KXGAP-1'
  const snapshot = (clock: string, levels: object) => ({
    recv_ms: time(clock),
    event: { type: 'orderbook_snapshot', sid: 1, seq: 1, msg: { market_ticker: market, ...levels } },
  })
  const delta = { market_ticker: market, price_dollars: '0.4000', delta_fp: '1.00', side: 'yes' }
  const lines = [
    snapshot('10:00:00', { yes_dollars_fp: [['0.4000', '10.00']], no_dollars_fp: [['0.5500', '20.00']] }),
    { type: 'gap', venue: 'kalshi', market, msg: { reason: 'x', from: time('10:01:10'), to: time('10:02:00') } },
    { type: 'orderbook_delta', sid: 1, seq: 2, msg: { ...delta, ts_ms: time('10:03:20') } },
    snapshot('10:04:10', { yes_dollars_fp: [['0.4100', '10.00']], no_dollars_fp: [] }),
  ]
  await Bun.write(file('gap.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await runBackbook(['ingest', 'gap.ndjson', '--data', 'gap'], { cwd: folder.path })
  const words = ['summary', '--venue', 'kalshi', '--market', market, '--date', '2026-07-20', '--json', '--data', 'gap']
  const { data } = JSON.parse((await runBackbook(words, { cwd: folder.path })).out) as { data: Bucket[] }
  const given = data.map((each) => {
    const clock = new Date(each.timestamp).toISOString().slice(11, 16)
    return `| ${clock} | ${each.quote_count} | ${each.is_forward_filled} | ${each['best_bid']} | ${each['best_ask']} |`
  })
  const shown = (await page('summaries.md')).match(/^\| 10:0\d \| \d \| (?:true|false) \|[^|]+\|[^|]+\|/gm)
  expect(given).toEqual([...shown!])
}, 30_000)

test('docs/start.md works as typed', async () => {
  const lines = [kalshiSnapshot([['0.2000', '5.00']], [['0.3000', '7.00']]), kalshiDelta(1_000, '0.2100', '1.00')]
  await Bun.write(file('captures/one.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const [, , load, serve, ask, keys, offline] = blocksOf(await page('start.md'), 'sh')
  const own = `bun() { '${process.execPath}' '${PROJECT}/'"$@"; }; export BACKBOOK_DATA=own;`
  const typed = (block: string, before = '') => runInShell(`${own}${before}\n${block}`, folder.path)
  expect(await typed(load!)).toMatchObject({ exitCode: 0, out: expect.stringContaining('2 records are new') })
  expect(serve).toBe('bun src/main.ts serve --local-access open\n')
  await using served = await serveProcess(file('own'), { LOCAL_ACCESS: 'open' })
  const answers = await typed(ask!.replaceAll('http://127.0.0.1:8080', served.url).replaceAll('\ncurl', '; echo\ncurl'))
  const [coverage, summary] = answers.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(coverage.dates[0]).toMatchObject({ date: DAY, record_count: 2 })
  expect(summary).toMatchObject({ date: DAY, resolution_seconds: 60 })
  expect((await typed(keys!)).out).toMatch(/^bb_/)
  expect(await typed(offline!, 'rm -f day.parquet')).toMatchObject({ exitCode: 0 })
  expect(await Bun.file(file('day.parquet')).exists()).toBe(true)
}, 60_000)
