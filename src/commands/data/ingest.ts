// `ingest`: loads captures into a data folder. It may run beside a server on the same folder, which sees the loaded
// data without a restart.

import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import { openStoreAt, type StorePlace } from '../../../storage/open-store.ts'
import { addCounts } from '../../../workers/capture/add-counts.ts'
import type { FileReport } from '../../../workers/load/load-capture.ts'
import { loadCaptures } from '../../../workers/load/load-captures.ts'
import type { NoPrices } from '../../../workers/venues/no-prices.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import { addSettings, type CommandOptions, configOf } from '../settings.ts'
import { applySourceOrder } from '../source-order.ts'
import { placeOf } from '../store-place.ts'
import { accountText, noteTexts, skippedParts } from '../terminal/account.ts'
import { counted, grouped, secondsSince } from '../terminal/numbers.ts'
import { printReport } from '../terminal/print-json.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { Progress } from '../terminal/progress.ts'
import { terminal } from '../terminal/terminal.ts'
import { captureFiles } from './capture-files.ts'

type IngestOptions = CommandOptions & { markets?: string[]; kalshiNoPrices?: NoPrices; json?: true }

export type IngestReport = {
  files: FileReport[]
  messages: number
  documents: number
  records: number
  recordsAdded: number
  partitionsChanged: number
  metadata: number
  skipped: number
  rejected: number
  failedFiles: number
  seconds: number
  recordsPerSecond: number
}

export function addIngestCommand(program: Command): void {
  const command = addSettings(program.command('ingest'), ['data', 'sources'])
    .description('load captures: NDJSON, plain, .gz or .zst, of both venues')
    .argument('[captures...]', 'capture files, folders to search for them, or - for stdin')
    .option('--markets <files...>', 'event and market JSON of Gamma or Kalshi (also recognised among the captures)')
    .addOption(
      new Option(
        '--kalshi-no-prices <scale>',
        'scale of the NO prices of Kalshi in captures that do not state it: NO, or YES (use_yes_price)',
      ).choices(['no', 'yes']),
    )
    .option('--json', 'print a report as JSON')
    .action(async (captures: string[], { markets = [], kalshiNoPrices, json, ...options }: IngestOptions) => {
      const named = [...captures, ...markets]
      const copies = named.some(isPipe) ? mkdtempSync(join(tmpdir(), 'backbook-')) : null
      const remove = () => copies !== null && rmSync(copies, { recursive: true, force: true })
      const { files, report } = await unlessStopped(remove, async (onStop) => {
        const files = captureFiles(copies === null ? named : await copyPipes(named, copies))
        const shown = json === true ? undefined : terminal().stderr
        const config = configOf(options)
        await applySourceOrder(config)
        return {
          files,
          report: await ingest(placeOf(config), files, shown, { noPrices: kalshiNoPrices, onStop }),
        }
      })
      if (json === true) printReport(report, { partitionsChanged: 'market_days_changed' })
      else terminal().stdout.write(plainReport(report))
      if (report.failedFiles > 0)
        throw new CommandError(
          `${report.failedFiles} of ${counted(files.length, 'file')} ${report.failedFiles === 1 ? 'is' : 'are'} not whole`,
          EXIT.failed,
        )
      assertLoaded(report)
    })
  addExamples(command, [
    'backbook ingest captures/ --data data',
    'ssh recorder zstd -dc today.ndjson.zst | backbook ingest - --data data',
    'backbook ingest kalshi.ndjson.zst --markets events.json --json | jq .records_added',
  ])
}

/** Returns whether a path can only be read once. A capture is read several times: first to detect its format. */
function isPipe(path: string): boolean {
  if (path === '-') return true
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && !stats.isFile() && !stats.isDirectory()
}

/** Returns the paths, each pipe replaced by a copy in `folder`. */
async function copyPipes(paths: readonly string[], folder: string): Promise<string[]> {
  const files: string[] = []
  for (const [index, path] of paths.entries()) {
    if (!isPipe(path)) {
      files.push(path)
      continue
    }
    const copy = join(folder, path === '-' ? 'stdin' : `pipe-${index + 1}`)
    await pipeline(path === '-' ? process.stdin : createReadStream(path), createWriteStream(copy, { mode: 0o600 }))
    files.push(copy)
  }
  return files
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Runs `end` after `work`. On a stop signal, runs the callbacks given to `onStop` first, newest first. */
async function unlessStopped<T>(end: () => void, work: (onStop: (run: () => void) => void) => Promise<T>): Promise<T> {
  const runs = [end]
  const stop = (signal: NodeJS.Signals) => {
    for (const run of runs.toReversed()) run()
    process.stderr.write('stopped: what was loaded stays stored; run the same command again to load the rest\n')
    process.kill(process.pid, signal)
  }
  for (const signal of STOP_SIGNALS) process.once(signal, stop)
  try {
    return await work((run) => runs.push(run))
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, stop)
    end()
  }
}

/** Loads the files in their order; shows a progress bar if `terminal` is a terminal. */
export async function ingest(
  place: StorePlace,
  files: string[],
  terminal: NodeJS.WriteStream | undefined,
  { noPrices, onStop = () => undefined }: { noPrices?: NoPrices | undefined; onStop?: (run: () => void) => void } = {},
): Promise<IngestReport> {
  const store = await openStoreAt(place, { mayWrite: true })
  const startedMs = performance.now()
  const total = terminal?.isTTY === true ? files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6 : 0
  const progress = new Progress({ total, unit: 'MB', decimals: 1, note: '- records/s' }, terminal)
  const changed = new Set<string>()
  onStop(() => progress.stop())
  try {
    const reports = await loadCaptures(store, place.folder, files, {
      processors: availableParallelism(),
      noPrices: noPrices ?? 'snapshots',
      changed,
      onProgress: ({ fileBytes, records }) =>
        progress.show(fileBytes / 1e6, `${grouped(Math.round(records / secondsSince(startedMs)))} records/s`),
    })
    await store.flushed()
    return totalOf(reports, changed.size, secondsSince(startedMs))
  } finally {
    progress.stop()
    await store.close()
  }
}

/** Throws if nothing was loaded. A capture with only control frames is valid: its market was quiet. */
function assertLoaded({ files, records, metadata, skipped, rejected }: IngestReport): void {
  if (records + metadata + skipped > 0) return
  const where = files.length === 1 ? JSON.stringify(files[0]!.file) : counted(files.length, 'file')
  const what = rejected === 0 ? 'there is no message in it' : 'no message in it could be understood'
  const why = files.length === 1 ? what : what.replace('it', 'them')
  throw new CommandError(
    `nothing is loaded of ${where}: ${why}; a line of a capture is a message of Kalshi or Polymarket as JSON`,
    EXIT.failed,
  )
}

function totalOf(files: FileReport[], partitionsChanged: number, seconds: number): IngestReport {
  const sum = (count: (file: FileReport) => number) => files.reduce((total, file) => total + count(file), 0)
  const records = sum((file) => file.records)
  return {
    files,
    messages: sum((file) => file.messages),
    documents: sum((file) => file.documents),
    records,
    recordsAdded: sum((file) => file.recordsAdded),
    partitionsChanged,
    metadata: sum((file) => file.metadata),
    skipped: sum((file) => Object.values(file.skipped).reduce((total, count) => total + count, 0)),
    rejected: sum((file) => file.rejected),
    failedFiles: sum((file) => (file.error === null ? 0 : 1)),
    seconds,
    recordsPerSecond: Math.round(records / Math.max(seconds, 0.001)),
  }
}

function plainReport(report: IngestReport): string {
  const lines = [
    `${counted(report.files.length, 'file')}, ${counted(report.records, 'record')} in ${report.seconds.toFixed(1)} s ` +
      `(${grouped(report.recordsPerSecond)} a second)`,
    `${counted(report.recordsAdded, 'record')} ${report.recordsAdded === 1 ? 'is' : 'are'} new, ` +
      `in ${counted(report.partitionsChanged, 'market day')}`,
  ]
  if (report.metadata > 0)
    lines.push(
      `metadata of ${grouped(report.metadata)} ${report.metadata === 1 ? 'event or market' : 'events and markets'}`,
    )
  lines.push(accountOf(report))
  for (const { file, notes } of report.files) {
    lines.push(...noteTexts(notes).map((note) => `${file}: ${note}`))
  }
  if (report.rejected > 0) lines.push(`${counted(report.rejected, 'line')} could not be understood:`)
  for (const { rejects, rejected, rejectFile } of report.files) {
    // A line may hold many messages, so equal reasons are printed once.
    const reasons = new Set(rejects.map(({ file, line, reason }) => `  ${file}:${line}: ${reason}`))
    lines.push(...[...reasons].slice(0, 5))
    const where = rejected === 1 ? 'it is stored' : `all ${grouped(rejected)} of this file are stored`
    if (rejectFile !== null) lines.push(`  ${where} in ${rejectFile}`)
  }
  for (const { error } of report.files) if (error !== null) lines.push(error)
  for (const { file, isCutOff } of report.files) {
    if (isCutOff) lines.push(`${file} was not closed, and ends within a piece that was never acknowledged`)
  }
  return lines.map((line) => `${escapeControls(line)}\n`).join('')
}

function accountOf({ files, messages, records, documents, rejected }: IngestReport): string {
  const lines = files.reduce((sum, file) => sum + file.lines, 0)
  const skipped: Record<string, number> = {}
  for (const file of files) addCounts(skipped, file.skipped)
  return accountText({
    read: { count: lines, what: 'line' },
    used: messages,
    made: { count: records, what: 'record' },
    unused: [
      ...skippedParts(skipped),
      [documents, `${documents === 1 ? 'document' : 'documents'} of metadata`],
      [rejected, 'not understood'],
    ],
  })
}
