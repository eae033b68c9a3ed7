// `export`: the records of a market, or its summary, as a file for other programs.

import { type Command, Option } from 'commander'
import type { Store } from '../../../storage/open-store.ts'
import { DAY_MS, dateStartMs, utcDate } from '../../../storage/units.ts'
import { answerHere } from '../../../workers/pool/answer-in-process.ts'
import type { Position } from '../../../workers/requests.ts'
import { mustBe } from '../../http/parameters/parameter.ts'
import { readWindow } from '../../http/parameters/time-window.ts'
import { marketOf, RAW_LIMIT } from '../../http/parameters/venue-parameters.ts'
import { marketEndpoints } from '../questions/market-endpoints.ts'
import {
  addBuckets,
  addMarket,
  addWindow,
  type Question,
  questionOf,
  type WindowOptions,
} from '../questions/market-question.ts'
import { askSummary, unitOf, writeSummary } from '../questions/summary.ts'
import { readSummary } from '../questions/summary-answer.ts'
import { addSettings } from '../server/settings.ts'
import { grouped } from '../terminal/figures.ts'
import { type Output, toFile, toStdout, withOutput } from '../terminal/output.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { Progress } from '../terminal/progress.ts'
import { FORMATS, type Format, formatOf, type What } from './export-format.ts'
import { nothingStored, tellNothing, withStore } from './stored-data.ts'

type ExportOptions = WindowOptions & { what: What; format?: Format; output?: string; force?: true }

export function addExportCommand(program: Command): void {
  const command = addSettings(program.command('export'), ['data']).description(
    'write the raw records of a market, or its summary, to a file or to stdout; all of it where no time is given',
  )
  addBuckets(addWindow(addMarket(command)))
    .addOption(new Option('--what <what>', 'what is written').choices(Object.keys(FORMATS)).default('records'))
    .addOption(
      new Option(
        '--format <format>',
        "default: from the file's name, else ndjson for records, csv for a summary",
      ).choices(Object.values(FORMATS).flat()),
    )
    .option('-o, --output <file>', 'where to, - for stdout; compressed where its name ends in .gz or .zst (default: -)')
    .option('--force', 'replace the file if it is there')
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
    const question = withWholeMarket(store, questionOf(options, what === 'records' ? 'records' : 'buckets'))
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

/** A question without a time is one about all that is stored. Throws CommandError where that is nothing. */
function withWholeMarket({ catalogue }: Store, question: Question): Question {
  const { parameters, query } = question
  if ([query.date, query.start_timestamp, query.end_timestamp].some((each) => each !== undefined)) return question
  const { venue, id, idParameter } = parameters
  const given = query[idParameter]!
  if (!id.matches(given)) {
    throw new CommandError(`--market ${mustBe(id.accepts, given)}`, EXIT.usage)
  }
  const entry = catalogue.market(venue, marketOf(parameters, query))
  if (entry === undefined) throw nothingStored(venue, given)
  const bounds = {
    start_timestamp: String(dateStartMs(entry.firstDate)),
    end_timestamp: String(dateStartMs(entry.lastDate) + DAY_MS - 1),
  }
  return { ...question, query: { ...query, ...bounds } }
}

/** Resolves to how many records or buckets were written; null where they were passed on unseen. */
type Write = (output: Output) => Promise<number | null>

/** The endpoint is asked for one record first: it knows what is accepted. The pages are then those it would send. */
async function recordsOf(store: Store, { parameters, path, query }: Question): Promise<Write> {
  const endpoint = query.start_timestamp === undefined && query.end_timestamp === undefined ? 'data' : 'data/range'
  const response = await marketEndpoints(store)(`${path}/market/${endpoint}`, { ...query, limit: '1' })
  await response.body?.cancel()
  const { fromMs, toMs } = readWindow(query)
  const market = marketOf(parameters, query)
  const book = query.asset_id ?? null
  const question = { venue: parameters.venue, market, book, limit: RAW_LIMIT.max, layout: 'lines' } as const
  const days = store.catalogue.heads(parameters.venue, market, { from: utcDate(fromMs), to: utcDate(toMs) })
  const total = days.reduce((sum, { head }) => sum + head.recordCount, 0)
  const workers = answerHere(store)
  return async (output) => {
    const progress = new Progress({ total, unit: 'records' }, process.stderr)
    let count = 0
    let after: Position | null = null
    try {
      do {
        const page = await workers.page({ ...question, scope: { fromMs, toMs, after } })
        if ('chunks' in page.data) for await (const chunk of page.data.chunks) await output.write(chunk)
        count += page.dataCount
        after = page.next
        progress.show(count)
      } while (after !== null)
    } finally {
      progress.stop()
    }
    return count
  }
}

async function summaryOf(store: Store, question: Question, format: Format): Promise<Write> {
  const response = await askSummary(store, question)
  return (output) => writeSummaryAs(response, question, format, output)
}

async function writeSummaryAs(response: Response, question: Question, format: Format, output: Output) {
  if (format !== 'parquet') return writeSummary(response, question, format === 'json' ? 'json' : 'csv', output)
  const { writeParquet } = await import('../questions/candle-parquet.ts')
  const answer = await readSummary(response.body as unknown as AsyncIterable<Uint8Array>)
  return writeParquet(answer, unitOf(question), output)
}
