// `export`: writes the records of a market as a file for other programs.

import { extname } from 'node:path'
import { type Command, Option } from 'commander'
import type { StoredDay } from '../../../storage/catalogue.ts'
import { headOfSource, ownFirst, type Source, sourcesOf, storedRecords } from '../../../storage/format/head-layers.ts'
import { isOfTwo, isRecorded, type PartitionHead } from '../../../storage/format/partition-head.ts'
import type { Store } from '../../../storage/open-store.ts'
import type { PartitionKey } from '../../../storage/partition-key.ts'
import { DAY_MS, dateStartMs, utcDate } from '../../../storage/units.ts'
import { doNumbersRestart } from '../../../workers/export/numbers-restart.ts'
import { answerInProcess } from '../../../workers/pool/answer-in-process.ts'
import type { Position } from '../../../workers/requests.ts'
import { pageTask } from '../../../workers/tasks/page.ts'
import { printBookTimes } from '../../../workers/venues/printed/printed-book-times.ts'
import { printHole } from '../../../workers/venues/printed/printed-hole.ts'
import { mustBe } from '../../http/parameters/parameter.ts'
import { readWindow } from '../../http/parameters/time-window.ts'
import { marketOf, RAW_LIMIT } from '../../http/parameters/venue-parameters.ts'
import { storeOfQuery } from '../../questions/query-source.ts'
import { inCommandWords, parseQuery } from '../questions/ask-market.ts'
import {
  addParameters,
  MARKET_WORDS,
  type Question,
  questionOf,
  RECORD_PARAMETERS,
  venueOption,
  type WindowOptions,
} from '../questions/market-question.ts'
import { nothingStored, reportNothingStored, withStore } from '../questions/stored-data.ts'
import { addSettings } from '../settings.ts'
import { grouped } from '../terminal/numbers.ts'
import { type Output, toFile, toStdout, withOutput } from '../terminal/output.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { Progress } from '../terminal/progress.ts'
import { terminal } from '../terminal/terminal.ts'
import { addTargetFlags, assertNoTargetFlags, exportTo, type TargetOptions } from './export-to.ts'

type ExportOptions = TargetOptions & {
  start?: string
  end?: string
  format?: 'ndjson'
  force?: true
}

export function addExportCommand(program: Command): void {
  const command = addSettings(program.command('export'), ['data']).description(
    'write the raw records of a market to a file or to stdout; or whole days of markets as the files of another ' +
      'program (--to); without a time, all that is stored',
  )
  command
    .addOption(venueOption().makeOptionMandatory())
    .option('--market <id...>', `${MARKET_WORDS}; with --to several`)
    .option('--date <date...>', 'a UTC day, YYYY-MM-DD; with --to several, and A..B for all from one to another')
  addParameters(
    command,
    RECORD_PARAMETERS.filter((name) => name !== 'date'),
  )
    .addOption(new Option('--format <format>', 'file format, for a file with any name').choices(['ndjson']))
    .option(
      '-o, --output <file>',
      'file to write, - for stdout; compressed if its name ends in .gz or .zst (default: -); with --to a folder',
    )
    .option('--force', 'replace the file if it exists')
    .action((options: ExportOptions) => (options.to === undefined ? runExport(options) : exportTo(options.to, options)))
  addTargetFlags(command)
  addExamples(command, [
    'backbook export --venue kalshi --market KXDEMODAY-26JUL20-T50 -o records.ndjson.zst',
    'backbook export --venue kalshi --market KXDEMODAY-26JUL20-T50 --start 2026-07-20 --end 2026-07-22 | jq .msg',
    'backbook export --to nautilus --venue kalshi --market KXDEMODAY-26JUL20-T50 --date 2026-07-20 -o catalog',
  ])
}

async function runExport(given: ExportOptions): Promise<void> {
  const { format, output: file, force } = given
  const options = ofOneMarket(given)
  const path = file === '-' ? undefined : file
  if (path !== undefined && format === undefined) assertName(path)
  await withStore(options, async (opened) => {
    const request = questionOf(options, RECORD_PARAMETERS)
    const store = storeOfQuery(opened, request.query)
    const question = await withWholeMarket(store, request)
    const { write, isStored } = await recordsOf(store, question)
    const output = path === undefined ? toStdout() : await toFile(path, force === true)
    const count = await withOutput(output, write)
    if (path !== undefined) terminal().stderr.write(`${grouped(count)} records in ${path}\n`)
    if (count === 0) reportNothingStored('records', question, isStored)
  })
}

/** Refuses a file name that ends in the name of another format. Digits are no format: tickers may end in them. */
function assertName(path: string): void {
  const extension = extname(path.replace(/\.(?:gz|zst)$/, '')).toLowerCase()
  if (!/[a-z]/.test(extension) || ['.ndjson', '.jsonl'].includes(extension)) return
  const hint = 'for any other name give --format ndjson; the command summary writes tables'
  throw new CommandError(`--output must be .ndjson, got ${JSON.stringify(path)}: ${hint}`, EXIT.usage)
}

/** Reduces `--market` and `--date` to one value each. Throws CommandError. */
function ofOneMarket({ market = [], date = [], ...options }: ExportOptions): WindowOptions {
  if (market.length === 0) {
    throw new CommandError("required option '--market <id>' not specified; see --help", EXIT.usage)
  }
  for (const [flag, values] of [['--market', market] as const, ['--date', date] as const]) {
    if (values.length < 2) continue
    throw new CommandError(`${flag} takes one value, got ${values.length}: only --to takes several`, EXIT.usage)
  }
  assertNoTargetFlags(options)
  return { ...options, market: market[0]!, ...(date[0] === undefined ? {} : { date: date[0] }) }
}

/** If a question gives no time, adds the range from the market's first stored day to its last. Rejects with
 *  CommandError if nothing is stored. */
async function withWholeMarket({ catalogue }: Store, question: Question): Promise<Question> {
  const { parameters, query } = question
  if ([query.date, query.start_timestamp, query.end_timestamp].some((each) => each !== undefined)) return question
  const { venue, id, idParameter } = parameters
  const given = query[idParameter]!
  if (!id.matches(given)) throw new CommandError(`--market ${mustBe(id.accepts, given)}`, EXIT.usage)
  const entry = await catalogue.market(venue, marketOf(parameters, query))
  if (entry === undefined) throw await nothingStored(catalogue, venue, given, { source: query.source })
  const bounds = {
    start_timestamp: String(dateStartMs(entry.firstDate)),
    end_timestamp: String(dateStartMs(entry.lastDate) + DAY_MS - 1),
  }
  return { ...question, query: { ...query, ...bounds } }
}

/** `write` resolves to the number of records written. */
type PreparedExport = { write(output: Output): Promise<number>; isStored: boolean }

const RECORDS_PARAMETERS = {
  required: ['market'],
  optional: ['asset_id', 'date', 'start_timestamp', 'end_timestamp', 'source'],
} as const

/** Reads all stored records: limits that endpoints set for clients do not apply to the operator. */
async function recordsOf(store: Store, question: Question): Promise<PreparedExport> {
  const { parameters, query } = await parseQuery(store, question, RECORDS_PARAMETERS)
  const { fromMs, toMs } = await inCommandWords(() => readWindow(query))
  const market = marketOf(parameters, query)
  const book = query.asset_id ?? null
  const pages = { venue: parameters.venue, market, book, limit: RAW_LIMIT.max, layout: 'lines' } as const
  const days = await store.catalogue.heads(parameters.venue, market, { from: utcDate(fromMs), to: utcDate(toMs) })
  const total = days.reduce((sum, { head }) => sum + storedRecords(head), 0)
  const workers = answerInProcess(store)
  const sources = eachSource(days)
  const page = (source: Source | undefined, after: Position | null) => {
    const request = { ...pages, ...(source !== undefined && { source }), scope: { fromMs, toMs, after } }
    return inCommandWords(() => workers.ask(pageTask, request))
  }
  const first = await page(sources[0], null)
  const write = async (output: Output) => {
    const progress = new Progress({ total, unit: 'records' }, terminal().stderr)
    let count = 0
    try {
      for (const [i, source] of sources.entries()) {
        let next: typeof first | null = i === 0 ? first : await page(source, null)
        while (next !== null) {
          if ('chunks' in next.data) for await (const chunk of next.data.chunks) await output.write(chunk)
          count += next.dataCount
          progress.show(count)
          next = next.next && (await page(source, next.next))
        }
      }
      const layers = layersOf(days)
      for (const { source, head } of layers) {
        const holes = head.sequenceHoles?.filter((hole) => hole.fromMs >= fromMs && hole.fromMs <= toMs) ?? []
        for (const hole of holes) await output.write(printHole({ market, source, hole }))
      }
      for (const { date, source, head } of layers) {
        if (!(await needsReceiveTimes(store, { venue: parameters.venue, market, date }, head))) continue
        for (const heard of head.heard!) await output.write(printBookTimes({ market, date, source, heard }))
      }
    } finally {
      progress.stop()
    }
    return count
  }
  return { write, isStored: days.length > 0 }
}

/** Returns the sources to export one by one, each in full. If several sources have the same date, a read of the date
 *  would show only part of them. */
function eachSource(days: StoredDay[]): (Source | undefined)[] {
  if (days.every(({ head }) => head.layers === undefined)) return [undefined]
  return [...new Set(days.flatMap(({ head }) => sourcesOf(head)))].sort(ownFirst)
}

const layersOf = (days: StoredDay[]) =>
  days.flatMap(({ date, head }) =>
    sourcesOf(head).map((source) => ({ date, source: source ?? undefined, head: headOfSource(head, source)! })),
  )

/** Returns whether the export must also contain the times when each recorder received records of each book. These
 *  times decide which gaps are covered. They also show whether records are missing where a sequence number steps
 *  back. The export writes them after the records. */
async function needsReceiveTimes({ blocks }: Store, key: PartitionKey, head: PartitionHead): Promise<boolean> {
  if (head.heard === undefined) return false
  const hasCovered = head.gaps.some(({ isCovered }) => isCovered === true)
  if (hasCovered || isOfTwo(head.heard)) return true
  const isOfSeveral = isRecorded(head.heard) || head.heard.length > 1
  return isOfSeveral && doNumbersRestart(blocks, key, head)
}
