// `export`: the records of a market, or its summary, as a file for other programs.

import { type Command, Option } from 'commander'
import type { Store } from '../../../storage/open-store.ts'
import { DAY_MS, dateStartMs, utcDate } from '../../../storage/units.ts'
import { answerInProcess } from '../../../workers/pool/answer-in-process.ts'
import type { Position } from '../../../workers/requests.ts'
import { pageTask } from '../../../workers/tasks/page.ts'
import { mustBe } from '../../http/parameters/parameter.ts'
import { readWindow } from '../../http/parameters/time-window.ts'
import { marketOf, RAW_LIMIT } from '../../http/parameters/venue-parameters.ts'
import { orderbookSummary } from '../../questions/orderbook-summary.ts'
import { askedOf, inCommandWords } from '../questions/ask-market.ts'
import {
  addMarket,
  addParameters,
  BUCKET_PARAMETERS,
  type Question,
  questionOf,
  RECORD_PARAMETERS,
  type WindowOptions,
} from '../questions/market-question.ts'
import { askRows } from '../questions/row-output.ts'
import { nothingStored, tellNothing, withStore } from '../questions/stored-data.ts'
import { addSettings } from '../settings.ts'
import { grouped } from '../terminal/numbers.ts'
import { type Output, toFile, toStdout, withOutput } from '../terminal/output.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { Progress } from '../terminal/progress.ts'
import { FORMATS, type Format, formatOf, type What } from './export-format.ts'

type ExportOptions = WindowOptions & { what: What; format?: Format; output?: string; force?: true }

export function addExportCommand(program: Command): void {
  const command = addSettings(program.command('export'), ['data']).description(
    'write the raw records of a market, or its summary, to a file or to stdout; without a time, all that is stored',
  )
  addParameters(addMarket(command), BUCKET_PARAMETERS)
    .addOption(new Option('--what <what>', 'what to write').choices(Object.keys(FORMATS)).default('records'))
    .addOption(
      new Option(
        '--format <format>',
        "file format (default: from the file's name, else ndjson for records, csv for a summary)",
      ).choices(Object.values(FORMATS).flat()),
    )
    .option(
      '-o, --output <file>',
      'file to write, - for stdout; compressed if its name ends in .gz or .zst (default: -)',
    )
    .option('--force', 'replace the file if it exists')
    .action(runExport)
  addExamples(command, [
    'backbook export --venue kalshi --market KXDEMODAY-26JUL20-T50 -o records.ndjson.zst',
    'backbook export --venue kalshi --market KXDEMODAY-26JUL20-T50 --start 2026-07-20 --end 2026-07-22 | jq .msg',
    'backbook export --venue kalshi --market KXDEMODAY-26JUL20-T50 --what summary --resolution 1 -o day.parquet',
  ])
}

async function runExport({ what, format, output: file, force, ...options }: ExportOptions): Promise<void> {
  const path = file === '-' ? undefined : file
  if (what === 'records') assertNoBuckets(options)
  const chosen = formatOf(what, format, path)
  await withStore(options, async (store) => {
    const names = what === 'records' ? RECORD_PARAMETERS : BUCKET_PARAMETERS
    const question = await withWholeMarket(store, questionOf(options, names))
    const write = what === 'records' ? await recordsOf(store, question) : await summaryOf(store, question, chosen)
    const output = path === undefined ? toStdout() : await toFile(path, force === true)
    const count = await withOutput(output, write)
    const unit = what === 'records' ? 'records' : 'buckets'
    const told = count === null ? 'the summary' : `${grouped(count)} ${unit}`
    if (path !== undefined) process.stderr.write(`${told} in ${path}\n`)
    if (count === 0) tellNothing(unit, question)
  })
}

/** Records are what was sent: nothing of them is put into buckets. */
function assertNoBuckets({ resolution, fill }: WindowOptions): void {
  for (const [flag, given] of Object.entries({ '--resolution': resolution, '--fill': fill })) {
    if (given === undefined) continue
    throw new CommandError(`${flag} is for --what summary, got ${JSON.stringify(given)} with records`, EXIT.usage)
  }
}

/** A question without a time is about all that is stored. Rejects with CommandError where that is nothing. */
async function withWholeMarket({ catalogue }: Store, question: Question): Promise<Question> {
  const { parameters, query } = question
  if ([query.date, query.start_timestamp, query.end_timestamp].some((each) => each !== undefined)) return question
  const { venue, id, idParameter } = parameters
  const given = query[idParameter]!
  if (!id.matches(given)) throw new CommandError(`--market ${mustBe(id.accepts, given)}`, EXIT.usage)
  const entry = await catalogue.market(venue, marketOf(parameters, query))
  if (entry === undefined) throw nothingStored(venue, given)
  const bounds = {
    start_timestamp: String(dateStartMs(entry.firstDate)),
    end_timestamp: String(dateStartMs(entry.lastDate) + DAY_MS - 1),
  }
  return { ...question, query: { ...query, ...bounds } }
}

/** Resolves to how many records or buckets were written; null where the format does not show it. */
type Write = (output: Output) => Promise<number | null>

const RECORDS_PARAMETERS = {
  required: ['market'],
  optional: ['asset_id', 'date', 'start_timestamp', 'end_timestamp'],
} as const

/** Everything that is stored: what an endpoint does not offer is the operator's own. */
async function recordsOf(store: Store, question: Question): Promise<Write> {
  const { parameters, query } = await askedOf(store, question, RECORDS_PARAMETERS)
  const { fromMs, toMs } = await inCommandWords(() => readWindow(query))
  const market = marketOf(parameters, query)
  const book = query.asset_id ?? null
  const pages = { venue: parameters.venue, market, book, limit: RAW_LIMIT.max, layout: 'lines' } as const
  const days = await store.catalogue.heads(parameters.venue, market, { from: utcDate(fromMs), to: utcDate(toMs) })
  const total = days.reduce((sum, { head }) => sum + head.recordCount, 0)
  const workers = answerInProcess(store)
  const page = (after: Position | null) =>
    inCommandWords(() => workers.ask(pageTask, { ...pages, scope: { fromMs, toMs, after } }))
  const first = await page(null)
  return async (output) => {
    const progress = new Progress({ total, unit: 'records' }, process.stderr)
    let count = 0
    try {
      for (let next: typeof first | null = first; next !== null; next = next.next && (await page(next.next))) {
        if ('chunks' in next.data) for await (const chunk of next.data.chunks) await output.write(chunk)
        count += next.dataCount
        progress.show(count)
      }
    } finally {
      progress.stop()
    }
    return count
  }
}

async function summaryOf(store: Store, question: Question, format: Format): Promise<Write> {
  const summary = await askRows(store, orderbookSummary, question, { format })
  return async (output) => {
    const count = await summary.write(output)
    return format === 'json' ? null : count
  }
}
