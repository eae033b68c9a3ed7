// `record`: receives the venues' feeds and stores them, until it is stopped.

import { type Command, Option } from 'commander'
import { logCrashes } from '../../observe/log/crash-log.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import { silenceLibraries } from '../../observe/log/library-lines.ts'
import { isJson } from '../../observe/log/log.ts'
import { logOf } from '../../observe/server-watch.ts'
import { type CheckedVenue, checkVenues } from '../../record/process/check-venues.ts'
import { startRecorderProcess } from '../../record/process/recorder-process.ts'
import type { RecordConfig } from '../../record/venues/read-record-config.ts'
import { readRecordConfig } from '../../record/venues/read-record-config.ts'
import { addFlags, type CommandOptions, configOf } from '../settings.ts'
import { applySourceOrder } from '../source-order.ts'
import { counted } from '../terminal/numbers.ts'
import { printJson } from '../terminal/print-json.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { table } from '../terminal/table.ts'
import { makeDataFolder } from './data-folder.ts'
import { notifySystemd } from './notify-systemd.ts'
import { printReady } from './ready-lines.ts'
import { stopSignal, UNTIL_STDIN_ENDS } from './stop-signal.ts'

type RecordOptions = CommandOptions & {
  config: string
  exitWhenDone?: true
  check?: true
  json?: true
  untilStdinEnds?: true
}

export function addRecordCommand(program: Command): void {
  const command = addFlags(program.command('record'), ['data', 'sources', 'log_level', 'log_format'])
    .description('record the feeds of Polymarket and Kalshi')
    .addOption(new Option('--config <file>', 'TOML or JSON file that says what is recorded').makeOptionMandatory())
    .option('--exit-when-done', 'end when the venues have closed all connections in an orderly way')
    .option('--check', 'print what would be recorded, connect to each venue once, and record nothing')
    .option('--json', 'with --check: print JSON')
    .addOption(new Option(UNTIL_STDIN_ENDS).hideHelp())
    .action(record)
  addExamples(command, [
    'backbook record --data data --config record.toml',
    'backbook record --config record.toml --check',
  ])
}

export const stdinEnd = (): Promise<void> =>
  new Promise((resolve) => {
    process.stdin.once('end', resolve).once('error', () => resolve())
    process.stdin.resume()
  })

async function record(options: RecordOptions): Promise<void> {
  const { config: path, exitWhenDone, check, json } = options
  if (json === true && check !== true) throw new CommandError('--json works only with --check', EXIT.usage)
  const config = readRecordConfig(path)
  // Here --config names the file of the recorder, not the general file of settings.
  const own = configOf({ ...options, config: undefined })
  if (check === true) return checkConfig(config, json === true)
  const log = logOf(own)
  if (isJson(own.logFormat)) silenceLibraries()
  logCrashes(log)
  makeDataFolder(own.data)
  await applySourceOrder(own)
  const recorder = startRecorderProcess({
    folder: own.data,
    cluster: own.cluster,
    config,
    log,
    endsWithVenues: exitWhenDone === true,
  })
  const signalled = stopSignal({ isPatient: options.untilStdinEnds === true })
  printReady(own, [`backbook recording to ${escapeControls(own.data)}`])
  log.info({ data: own.data, recorder: config.recorderId }, 'recording')
  notifySystemd('READY=1', log)
  const stdinEnded = options.untilStdinEnds === true ? [stdinEnd()] : []
  const refusal = await Promise.race([signalled, recorder.finished, ...stdinEnded])
  notifySystemd('STOPPING=1', log)
  log.info('stopping: storing what was received')
  try {
    await recorder.stop()
    log.info('stopped')
  } finally {
    // The runtime may still hold connections, and after a failure our own threads may still run.
    setTimeout(() => process.exit(), EXIT_MS).unref()
  }
  if (typeof refusal === 'string') throw new CommandError(refusal, EXIT.usage)
}

/** Time between the end of the work and the forced exit. Usually the process ends by itself earlier. */
const EXIT_MS = 1_000

async function checkConfig(config: RecordConfig, isJson: boolean): Promise<void> {
  const venues = await checkVenues(config)
  if (isJson) printJson({ recorder_id: config.recorderId, venues })
  else process.stdout.write(checkText(venues))
  const problems = venues.flatMap((venue) => venue.problems)
  if (problems.length > 0) throw new CommandError(problems.join('; '), EXIT.failed)
}

function checkText(venues: readonly CheckedVenue[]): string {
  const head = ['VENUE', 'MARKETS', 'BOOKS', 'CONNECTIONS', 'LEFT OUT', 'ADDRESS', 'REST', 'SIGNED', 'CONNECTS']
  const rows = venues.map((venue) => [
    venue.venue,
    venue.markets,
    venue.books,
    venue.connections,
    venue.markets_left_out,
    venue.ws_url,
    venue.rest_requests === 0 ? 'not used' : counted(venue.rest_requests, 'request'),
    venue.is_signed === null ? null : venue.is_signed ? 'yes' : 'no',
    venue.connects ? 'yes' : 'no',
  ])
  return table(head, rows)
}
