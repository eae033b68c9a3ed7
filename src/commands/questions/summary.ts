// `summary`: the top of one book over a day or a window in buckets, as a server would answer it.

import { type Command, Option } from 'commander'
import type { Store } from '../../../storage/open-store.ts'
import { SECONDS_BELOW } from '../../http/parameters/time-window.ts'
import { tellNothing, withStore } from '../data/stored-data.ts'
import { addSettings } from '../server/settings.ts'
import { type Output, toStdout } from '../terminal/output.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { CSV_HEAD, csvRow, TABLE_HEAD, tableRow } from './candle-columns.ts'
import { marketEndpoints } from './market-endpoints.ts'
import { addBuckets, addMarket, addWindow, type Question, questionOf, type WindowOptions } from './market-question.ts'
import { readSummary, type SummaryAnswer } from './summary-answer.ts'

const FORMATS = ['table', 'csv', 'json'] as const
type Format = (typeof FORMATS)[number]
type SummaryOptions = WindowOptions & { format?: Format; json?: true }

export function addSummaryCommand(program: Command): void {
  const command = addSettings(program.command('summary'), ['data']).description(
    'print the top of one book in buckets with candles, as the endpoint orderbook-summary answers it',
  )
  addBuckets(addWindow(addMarket(command)))
    .addOption(new Option('--format <format>', 'default: a table on a terminal, else CSV').choices(FORMATS))
    .option('--json', "the same as --format json: the server's answer, to the byte")
    .action(summary)
  addExamples(command, [
    'backbook summary --venue kalshi --market KXDEMODAY-26JUL20-T50 --date 2026-07-20',
    'backbook summary --venue kalshi --market KXDEMODAY-26JUL20-T50 --resolution 1 \\',
    '  --start 2026-07-20T12:00:00Z --end 2026-07-20T12:59:59Z --format csv > noon.csv',
  ])
}

async function summary({ format, json, ...options }: SummaryOptions): Promise<void> {
  if (json && format !== undefined && format !== 'json') {
    throw new CommandError(`--json and --format ${format} contradict each other: give one of them`, EXIT.usage)
  }
  const chosen = json ? 'json' : (format ?? (process.stdout.isTTY ? 'table' : 'csv'))
  await withStore(options, async (store) => {
    const question = questionOf(options, 'buckets')
    const answer = await askSummary(store, question)
    const count = await writeSummary(answer, question, chosen, toStdout())
    if (count === 0) tellNothing('buckets', question)
  })
  if (chosen === 'json' && process.stdout.isTTY) process.stdout.write('\n')
}

/** Rejects with CommandError. */
export const askSummary = (store: Store, { path, query }: Question): Promise<Response> =>
  marketEndpoints(store)(`${path}/market/orderbook-summary`, query)

/** Returns the number of buckets, null where they were passed on unseen. */
export async function writeSummary(
  response: Response,
  question: Question,
  format: Format,
  output: Output,
): Promise<number | null> {
  const chunks = response.body as unknown as AsyncIterable<Uint8Array>
  if (format === 'json') {
    for await (const chunk of chunks) await output.write(chunk)
    return null
  }
  const answer = await readSummary(chunks)
  return writeRows(answer, format === 'csv' ? CSV : tableIn(unitOf(question)), output)
}

type Rows = { head: string; row: (bucket: Parameters<typeof csvRow>[0]) => string }
const CSV: Rows = { head: CSV_HEAD, row: csvRow }
const tableIn = (unit: 'ms' | 's'): Rows => ({ head: TABLE_HEAD, row: (bucket) => tableRow(bucket, unit) })

async function writeRows({ buckets }: SummaryAnswer, { head, row }: Rows, output: Output): Promise<number> {
  await output.write(head)
  let count = 0
  for await (const some of buckets) {
    await output.write(some.map(row).join(''))
    count += some.length
  }
  return count
}

/** Of the timestamps in an answer. */
export const unitOf = ({ query }: Question): 'ms' | 's' =>
  query.start_timestamp !== undefined && Number(query.start_timestamp) < SECONDS_BELOW ? 's' : 'ms'
