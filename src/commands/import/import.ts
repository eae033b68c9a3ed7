// `import`: loads files of other publishers' archives into a data folder, from disk or from a URL.

import { type Command, Option } from 'commander'
import { OWN_SOURCE, SOURCE_NAME } from '../../../storage/format/shape.ts'
import { openStoreAt } from '../../../storage/open-store.ts'
import { type ArchiveFormat, REPAIRS, type Repair } from '../../../workers/import/archive.ts'
import { type ByteFile, openByteFile } from '../../../workers/import/byte-file.ts'
import { checkArchive } from '../../../workers/import/check-archive.ts'
import { ARCHIVE_FORMATS, formatNamed } from '../../../workers/import/formats/registry.ts'
import { importFile } from '../../../workers/import/import-file.ts'
import { assertUnderstood, hasNoneOf, type ImportReport } from '../../../workers/import/import-report.ts'
import { eitherOf } from '../../http/parameters/parameter.ts'
import { addSettings, type CommandOptions, configOf } from '../settings.ts'
import { applySourceOrder } from '../source-order.ts'
import { placeOf } from '../store-place.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { Progress } from '../terminal/progress.ts'
import { terminal } from '../terminal/terminal.ts'
import { type FileImport, importReport, printCheckReport, type SourceTerms } from './import-report.ts'

type ImportOptions = CommandOptions & {
  market?: string[]
  source?: string
  licence?: string
  attribution?: string
  acceptUnlicensed?: true
  repair?: Repair[]
  check?: true
  again?: true
  json?: true
}

export function addImportCommand(program: Command): void {
  const command = addSettings(program.command('import'), ['data', 'sources'])
    .description('load files of archives')
    .argument('<format>', ARCHIVE_FORMATS.map(({ name }) => name).join(', '))
    .argument('<files...>', 'files, or URLs whose server takes byte ranges')
    .option('--market <ids...>', 'only these markets')
    .option('--check', 'read the files and say which rows are rejected, without loading them')
    .option('--source <name>', 'name of the archive, for coverage and delete (default: named by the format)')
    .option('--licence <text>', 'the licence of the files, if the format names none')
    .option('--attribution <text>', 'the publisher to name as the source')
    .option('--accept-unlicensed', 'load files whose publisher states no licence')
    .addOption(
      new Option('--repair <names...>', 'repair known faults; stored with the source').choices(Object.keys(REPAIRS)),
    )
    .option('--again', 'load files that were loaded before')
    .option('--json', 'print a report as JSON')
    .action(runImport)
  addExamples(command, [
    'backbook import pmxt-v2 polymarket_orderbook_2026-05-22T17.parquet --check',
    'backbook import pmxt-v2 https://archive.example/2026-05-22T17.parquet --market 0x3dc6… --data data',
  ])
}

async function runImport(formatName: string, files: string[], options: ImportOptions): Promise<void> {
  const format = formatNamed(formatName)
  if (format === undefined) {
    const names = ARCHIVE_FORMATS.map(({ name }) => name)
    throw new CommandError(`the format must be ${eitherOf(names)}, got ${JSON.stringify(formatName)}`, EXIT.usage)
  }
  const chosen = chosenOf(format, options)
  const opened: ByteFile[] = []
  try {
    for (const name of files) opened.push(await openByteFile(name))
    if (options.check === true) await check(format, opened, chosen, options)
    else await load(format, opened, chosen, options)
  } finally {
    for (const file of opened) file.close()
  }
}

type Chosen = { provenance: SourceTerms; markets: ReadonlySet<string> | null; repairs: ReadonlySet<Repair> }

/** Throws CommandError for options that do not fit the format. */
function chosenOf(format: ArchiveFormat, options: ImportOptions): Chosen {
  const { source = format.source, market, repair = [], acceptUnlicensed, check: isCheck } = options
  if (source === OWN_SOURCE) {
    throw new CommandError(`--source must not be ${OWN_SOURCE}: that names your own recordings`, EXIT.usage)
  }
  if (!SOURCE_NAME.test(source)) {
    const accepted = 'up to 64 lower case letters, digits, points and dashes'
    throw new CommandError(`--source must be ${accepted}, got ${JSON.stringify(source)}`, EXIT.usage)
  }
  const licence = options.licence?.trim() || format.licence
  if (licence === null && acceptUnlicensed !== true && isCheck !== true) {
    throw new CommandError(
      `the publisher of ${format.name} states no licence: give --licence if you have one, or --accept-unlicensed`,
      EXIT.usage,
    )
  }
  const provenance = { source, licence, attribution: options.attribution ?? format.attribution }
  const markets = market === undefined ? null : new Set(market.map(storedName))
  return { provenance, markets, repairs: new Set(repair) }
}

/** Returns a market id in its stored form: condition ids in lower case, tickers in upper case. */
const storedName = (given: string): string => (/^0x/i.test(given) ? given.toLowerCase() : given.toUpperCase())

async function check(format: ArchiveFormat, files: ByteFile[], chosen: Chosen, { json }: ImportOptions): Promise<void> {
  const reports: ImportReport[] = []
  for (const file of files) {
    const progress = progressOf(file, json)
    try {
      const { markets, repairs, provenance } = chosen
      const reading = { markets, repairs, source: provenance.source, loadingMs: Date.now() }
      const report = await checkArchive(format, file, { ...reading, onProgress: progress.onProgress })
      progress.stop()
      // Rows of other markets are not parsed, so they cannot show that the file has another format.
      if (!hasNoneOf(report, chosen.markets)) assertUnderstood(format, file, report)
      printCheckReport(file, format, report, json === true)
      reports.push(report)
    } finally {
      progress.stop()
    }
  }
  assertPresent(chosen, reports)
}

/** Throws CommandError for markets without a row in any file. Throws none if one of the files was loaded before,
 *  since that file is not read and has no report. */
function assertPresent({ markets }: Chosen, reports: readonly (ImportReport | null)[]): void {
  const absent = [...(markets ?? [])].filter((market) => reports.every((report) => report?.absent.includes(market)))
  if (absent.length === 0) return
  const which = reports.length === 1 ? 'the file has no row' : 'none of the files has a row'
  throw new CommandError(`${which} of ${absent.join(', ')}`, EXIT.failed)
}

async function load(format: ArchiveFormat, files: ByteFile[], chosen: Chosen, options: ImportOptions): Promise<void> {
  const { provenance, markets, repairs } = chosen
  const config = configOf(options)
  await applySourceOrder(config)
  const store = await openStoreAt(placeOf(config), { mayWrite: true })
  const loaded: FileImport[] = []
  try {
    for (const file of files) {
      const progress = progressOf(file, options.json)
      const startedMs = performance.now()
      try {
        const again = options.again === true
        const choice = { ...provenance, markets, repairs, again }
        const { report, before } = await importFile(store, config.data, format, file, choice, progress.onProgress)
        const seconds = (performance.now() - startedMs) / 1_000
        loaded.push({ file: file.name, bytes: file.byteLength, seconds, report, before })
      } finally {
        progress.stop()
      }
    }
    await store.flushed()
  } finally {
    await store.close()
    // Reports the loaded files even if a later one fails.
    if (loaded.length > 0) importReport(format, provenance, loaded, options.json === true)
  }
  assertPresent(
    chosen,
    loaded.map(({ report }) => report),
  )
}

/** Returns a progress bar that counts megabytes of the file. */
function progressOf({ byteLength }: ByteFile, json: true | undefined) {
  const shownOn = json === true ? undefined : terminal().stderr
  const bar = new Progress({ total: byteLength / 1e6, unit: 'MB', decimals: 1, note: '0 rows' }, shownOn)
  return {
    onProgress: ({ fileBytes, rows }: { fileBytes: number; rows: number }) => bar.show(fileBytes / 1e6, `${rows} rows`),
    stop: () => bar.stop(),
  }
}
