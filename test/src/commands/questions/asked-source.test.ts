// Goal: --source restricts every command about a market to one source. No archive can have the name `own`.

import { afterAll, describe, expect, test } from 'bun:test'
import { CONDITION, DAY, TICKER } from '../../../model/lines.ts'
import { ARCHIVE, FOURTH, SECOND, storeOf } from '../../../support/archives/two-sources.ts'
import { runBackbook } from '../../../support/programs/program.ts'
import { type TestStore, withStore } from '../../../support/store.ts'

const all = await storeOf(['own', ARCHIVE])
const alone = { own: await storeOf(['own']), [ARCHIVE]: await storeOf([ARCHIVE]) }
afterAll(() => Promise.all([all, ...Object.values(alone)].map((store) => store.close())))

const MARKET = `--venue kalshi --market ${TICKER}`
const run = (line: string, { folder } = all) => runBackbook([...line.split(' '), '--data', folder])

const LINES = [
  ...['summary', 'depth', 'trades', 'trade-summary', 'depth-map', 'changes'].flatMap((name) =>
    name === 'depth-map'
      ? [`${name} ${MARKET} --date ${SECOND} --format ndjson`]
      : [`${name} ${MARKET} --date ${SECOND} --format csv`, `${name} ${MARKET} --date ${SECOND} --format table`],
  ),
  `summary ${MARKET},KXNONE --date ${SECOND} --format csv`,
  `book ${MARKET} --at ${SECOND}T18:00:00Z --json`,
  `export ${MARKET}`,
  `coverage ${MARKET} --json`,
  `coverage ${MARKET} --format table`,
  `info ${MARKET} --json`,
]

describe.each(['own', ARCHIVE] as const)('--source %s', (source) => {
  test.each(LINES)('%s', async (line) => {
    const expected = await run(line, alone[source])
    expect(expected.exitCode).toBe(0)
    expect(expected.out.length).toBeGreaterThan(50)
    expect(await run(`${line} --source ${source}`)).toMatchObject({ out: expected.out, exitCode: 0 })
  })
})

test.each(['summary --date', 'export --date', 'coverage --date', 'trades --date', 'export --format ndjson --date'])(
  '%s of a source without the market names the source',
  async (words) => {
    const { out, err, exitCode } = await run(`${words} ${DAY} ${MARKET} --source ag6`)
    expect([out, exitCode]).toEqual(['', 3])
    expect(err).toMatch(/othing is stored of .* from the source ag6/)
    expect(err).not.toContain('market/')
  },
)

test('whole days in third-party formats hold what a date shows, and refuse --source', async () => {
  const { err, exitCode } = await run(`export --to tardis ${MARKET} --date ${DAY} --source own -o none`)
  expect([err, exitCode]).toEqual(['backbook: --source is not for --to, which writes whole days\n', 2])
})

test('coverage shows the spans of days for which archives have data', async () => {
  const { out } = await run(`coverage ${MARKET} --format table`)
  expect(out).toEndWith(
    [
      'DATE        SHOWN    FROM      TO',
      `${SECOND}  own      00:00:00  24:00:00`,
      `${FOURTH}  ${ARCHIVE}  00:00:00  24:00:00`,
      '',
    ].join('\n'),
  )
  expect((await run(`coverage ${MARKET} --source own --format table`)).out).not.toContain('SHOWN')
})

/** Returns the spans and records of each date. */
async function shown(store: TestStore) {
  const days = await store.store.catalogue.heads('kalshi', TICKER)
  return Promise.all(
    days.map(async ({ date, head }) => [date, head.spans, await store.records('kalshi', TICKER, date)]),
  )
}

test('an export has all records of each source, own first, and shows the same after it is loaded', async () => {
  const markets = [MARKET, `--venue polymarket --market ${CONDITION}`]
  const exported = (store: TestStore) => Promise.all(markets.map(async (of) => (await run(`export ${of}`, store)).out))
  const [allSources, own, archive] = await Promise.all([all, alone.own, alone[ARCHIVE]!].map(exported))
  expect(allSources).toEqual(own!.map((records, i) => records + archive![i]))
  await withStore(async (copy) => {
    await copy.loadLines('export.ndjson', allSources!.join('').trim().split('\n'))
    expect(await exported(copy)).toEqual(allSources!)
    expect(await shown(copy)).toEqual(await shown(all))
  })
})

test('no archive is called own', async () => {
  const { err, exitCode } = await run('import raw-frames none.ndjson --source own --accept-unlicensed')
  expect([err, exitCode]).toEqual(['backbook: --source must not be own: that names your own recordings\n', 2])
  await expect(all.loadLines('x.ndjson', ['{}'], 'own')).rejects.toThrow('own')
  expect((await run('delete --source own --yes')).exitCode).toBe(3)
  expect(await all.dates('polymarket', CONDITION)).toEqual([DAY, SECOND])
})
