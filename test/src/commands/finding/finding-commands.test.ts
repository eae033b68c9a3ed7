// Commands that print from the index, in every format, compared with a server on the same store.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { kalshiDelta, kalshiGap, kalshiSnapshot } from '../../../model/lines.ts'
import { CONDITION, commandStore, DAY, TICKER } from '../../../support/command-store.ts'
import { runBackbook } from '../../../support/programs/program.ts'
import { ask, testApp } from '../../../support/server.ts'
import { TestStore } from '../../../support/store.ts'

let store: TestStore
beforeAll(async () => {
  store = await commandStore()
  const event = { event_ticker: 'KXTEST', title: 'Tests, of a kind' }
  const market = { ticker: TICKER, event_ticker: 'KXTEST', title: 'Is this a "test"?', yes_sub_title: 'It is' }
  await store.loadLines('m.ndjson', [JSON.stringify({ event, markets: [market] })])
})
afterAll(() => store.close())

const run = (...words: string[]) => runBackbook([...words, '--data', store.folder])

test.each([
  [['info', '--venue', 'kalshi', '--market', TICKER], `/kalshi/market/info?ticker=${TICKER}`],
  [['search', 'is', 'test'], '/search?q=is+test'],
  [['search', '0xABAB', '--venue', 'polymarket', '--limit', '1'], '/search?q=0xABAB&venue=polymarket&limit=1'],
  [['calendar', '--venue', 'kalshi', '--to', '2026-08-30'], '/kalshi/calendar?to=2026-08-30'],
  [['active', '--venue', 'kalshi', '--date', DAY, '--by', 'trades'], `/kalshi/markets/active?date=${DAY}&by=trades`],
  [
    ['active', '--venue', 'kalshi', '--date', DAY, '--q', 'test', '--offset', '0'],
    `/kalshi/markets/active?date=${DAY}&q=test&offset=0`,
  ],
])('%p --json is what a server answers', async (words, path) => {
  const { text } = await ask(testApp({ catalogue: store.store.catalogue }), path)
  expect(text).toContain(path.includes('ABAB') ? CONDITION : '"')
  for (const as of [['--json'], ['--format', 'json']]) {
    expect(await run(...words, ...as)).toMatchObject({ out: `${text}\n`, err: '', exitCode: 0 })
  }
  const piped = await run(...words)
  expect(piped.out).toContain('\n')
  expect(piped).toMatchObject({ out: (await run(...words, '--format', 'csv')).out, err: '', exitCode: 0 })
})

test('a search as CSV, as lines and as a table', async () => {
  const { out } = await run('search', 'tests', 'kind', '--format', 'csv')
  const [head, row, end] = out.split('\n')
  expect(head).toStartWith('venue,market,title,subtitle,slug,has_data,start_date')
  expect(row).toStartWith(`kalshi,${TICKER},"Is this a ""test""?",,,true,${DAY}`)
  expect(row).toEndWith('"Tests, of a kind",Yes No')
  expect(end).toBe('')
  const lines = (await run('search', 'tests', '--format', 'ndjson')).out.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ market: TICKER, event: { id: 'KXTEST' } }])
  expect((await run('search', 'tests', '--format', 'table')).out).toMatch(/^VENUE +MARKET +LAST +RECORDS +TITLE\n/)
})

test('a calendar and the busiest markets as CSV and as tables', async () => {
  const calendar = (await run('calendar', '--venue', 'kalshi', '--format', 'csv')).out.split('\n')
  expect(calendar[0]).toStartWith('date,condition,markets,records,trades,volume,gaps')
  expect(calendar[1]).toStartWith(`${DAY},`)
  expect((await run('calendar', '--venue', 'kalshi', '--format', 'table')).out).toMatch(/^DATE +CONDITION +MARKETS/)
  const active = (await run('active', '--venue', 'kalshi', '--date', DAY, '--format', 'csv')).out.split('\n')
  expect(active[1]).toMatch(
    new RegExp(`^${TICKER},"Is this a ""test""\\?",,,120001,.*,KXTEST,"Tests, of a kind",Yes No$`),
  )
  expect((await run('active', '--venue', 'kalshi', '--date', DAY, '--format', 'table')).out).toMatch(/^MARKET +RECORDS/)
})

test('the table about a market has no line for an unknown field', async () => {
  const { out } = await run('info', '--venue', 'kalshi', '--market', TICKER, '--format', 'table')
  expect(out).toMatch(/EVENT TITLE +Tests, of a kind/)
  expect(out).toMatch(/OUTCOMES +Yes: It is, No/)
  expect(out).toMatch(/LOADED AT +20\d\d-\d\d-\d\dT/)
  expect(out).not.toMatch(/RULES|SLUG|null/)
})

test('markets and coverage as CSV and as lines', async () => {
  const markets = (await run('markets', '--format', 'csv')).out.split('\n')
  expect(markets[0]).toBe('venue,market,first_date,last_date,days,records')
  expect(markets[2]).toBe(`kalshi,${TICKER},${DAY},2026-08-11,2,120004`)
  const listed = JSON.parse((await run('markets', '--json')).out).markets
  const lines = (await run('markets', '--format', 'ndjson')).out.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(listed)
  const words = ['coverage', '--venue', 'kalshi', '--market', TICKER]
  const days = (await run(...words, '--format', 'csv')).out.split('\n')
  const head =
    'date,record_count,quote_count,first_timestamp,last_timestamp,starts_from,books,gaps,inferred_gaps,audits_exact,audits_consistent,audits_inconsistent,audits_undecidable,incidents'
  const [noon, end] = [Date.parse(`${DAY}T12:00:00Z`), Date.parse(`${DAY}T12:19:59.990Z`)]
  expect(days.slice(0, 2)).toEqual([head, `${DAY},120001,120001,${noon},${end},snapshot,1,0,0,0,0,0,0,`])
  const { dates } = JSON.parse((await run(...words, '--json')).out)
  const dated = (await run(...words, '--format', 'ndjson', '--date', DAY)).out
  expect(JSON.parse(dated)).toEqual(dates[0])
})

test('coverage and the calendar count all gaps', async () => {
  const lost = new TestStore()
  const first = kalshiSnapshot([['0.2000', '5.00']])
  const restarted = { ...kalshiDelta(3_000, '0.4000', '1.00'), seq: 2 }
  const lines = [first, kalshiDelta(1_000, '0.4000', '1.00'), kalshiGap(2_000), first, restarted]
  await lost.loadLines(
    'lost.ndjson',
    lines.map((line) => JSON.stringify(line)),
  )
  await lost.store.flushed()
  const counts = async (words: string[]) => {
    const { out } = await runBackbook([...words, '--data', lost.folder, '--format', 'csv'])
    const [head, row] = out.split('\n').map((line) => line.split(','))
    return ['gaps', 'inferred_gaps'].map((name) => row![head!.indexOf(name)])
  }
  expect(await counts(['coverage', '--venue', 'kalshi', '--market', TICKER])).toEqual(['2', '1'])
  expect(await counts(['calendar', '--venue', 'kalshi'])).toEqual(['2', '1'])
  await lost.close()
})

const MEANT = `did you mean ${TICKER}?`

test.each([
  [['info', '--venue', 'kalshi', '--market', 'KXTEST'], 3, MEANT],
  [['coverage', '--venue', 'kalshi', '--market', 'KXTEST'], 3, MEANT],
  [['export', '--venue', 'kalshi', '--market', 'KXTEST'], 3, MEANT],
  [['delete', '--venue', 'kalshi', '--market', 'KXTEST', '--yes'], 3, MEANT],
  [['info', '--venue', 'kalshi', '--market', 'KXNONE'], 3, 'Nothing is stored of the kalshi market'],
  [['search', '-', '?'], 2, 'letter or digit among them, got "- ?"'],
  [['search', 'a', '--limit', '1000'], 2, '--limit must be a whole number from 1 to 100, got "1000"'],
  [['active', '--venue', 'kalshi'], 2, '--date is required and must be a UTC date'],
  [['calendar', '--venue', 'kalshi', '--from', '2026-08-02', '--to', '2026-08-01'], 2, '--from must be at or before'],
  ...[['calendar', '--venue', 'kalshi'], ['markets'], ['coverage', '--venue', 'kalshi', '--market', TICKER]].map(
    (words): [string[], number, string] => [[...words, '--json', '--format', 'csv'], 2, 'contradict each other'],
  ),
  [['markets', '--format', 'parquet'], 2, '--format must be one of table, json, ndjson, csv, got'],
  [['coverage', '--venue', 'kalshi', '--market', 'KXNONE', '--format', 'csv'], 3, 'nothing is stored of the kalshi'],
])('%p is refused', async (words, exitCode, message) => {
  const refused = await run(...words)
  expect(refused).toMatchObject({ exitCode, out: '' })
  expect(refused.err).toContain(message)
})

test('a search that finds nothing says so on stderr', async () => {
  const none = { out: '{"q":"xyzzy","data_count":0,"data":[]}\n', err: 'no market has all these words\n', exitCode: 0 }
  expect(await run('search', 'xyzzy', '--json')).toMatchObject(none)
  expect(await run('search', 'xyzzy')).toMatchObject({ ...none, out: '' })
})
