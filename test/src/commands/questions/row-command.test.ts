// A command whose flags and formats follow from its question, as a process.

import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { commandStore, DAY, TICKER } from '../../../support/command-store.ts'
import { arrowRows, csvRows, ndjsonRows } from '../../../support/compare/row-formats.ts'
import { runBackbook } from '../../../support/program.ts'
import { temporaryFolder } from '../../../support/server.ts'

const folder = temporaryFolder()
const store = await commandStore()
afterAll(async () => {
  await store.close()
  folder[Symbol.dispose]()
})

const summary = (more = '') =>
  runBackbook(
    `summary --venue kalshi --market ${TICKER} --date ${DAY} ${more} --data ${store.folder}`.trim().split(/ +/),
    { cwd: folder.path },
  )

test('every format goes to stdout, or to a file whose name says it', async () => {
  const times = (rows: readonly object[]) => rows.map((row) => (row as { timestamp: number }).timestamp)
  const csv = times(csvRows((await summary()).out, ['market']))
  // From noon on; the next day continues the book.
  expect(csv.length).toBe(720)
  expect(times(ndjsonRows((await summary('--format ndjson')).out))).toEqual(csv)
  expect((await summary('-o rows.arrow')).err).toBe('720 buckets in rows.arrow\n')
  const { rows, metadata } = arrowRows(await Bun.file(join(folder.path, 'rows.arrow')).arrayBuffer())
  expect(times(rows)).toEqual(csv)
  expect(metadata.get('backbook.data_points')).toBe('720')
})

test('a name that says no format is refused', async () => {
  const { err, exitCode } = await summary('-o rows.xlsx')
  expect([err, exitCode]).toEqual([
    'backbook: --output must be .json, .ndjson, .csv, .arrow or .parquet, got "rows.xlsx": for any other name give --format\n',
    2,
  ])
})
