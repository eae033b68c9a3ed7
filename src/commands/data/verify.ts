// `verify`: reads a whole data folder and reports damage by market and date. With `--hashes` it also compares the
// rebuilt books with Polymarket's own hashes. A folder is read in a child process, because LMDB does not survive some
// damage of its index. If the child crashes, the crash is reported as damage.

import { type Command, Option } from 'commander'
import type { OpenStore } from '../../../storage/open-store.ts'
import { type HashReport, verifyHashes } from '../../../workers/verify/verify-hashes.ts'
import { type StoreReport, verifyStore } from '../../../workers/verify/verify-store.ts'
import { ownCommand } from '../../lookup/slug-store.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import { withStore } from '../questions/stored-data.ts'
import { addSettings, type CommandOptions, configOf } from '../settings.ts'
import { counted, grouped } from '../terminal/numbers.ts'
import { printReport } from '../terminal/print-json.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { Progress } from '../terminal/progress.ts'
import { terminal } from '../terminal/terminal.ts'

type VerifyOptions = CommandOptions & { hashes?: true; json?: true; here?: true }

/** Flag of the child process. */
const HERE = '--here'
/** Signals by which the system and LMDB end a process that reads a damaged index. */
const CRASHES = ['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', 'SIGTRAP'] as const
const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const

export function addVerifyCommand(program: Command): void {
  const command = addSettings(program.command('verify'), ['data'])
    .description('read and check everything that is stored')
    .option('--hashes', 'also compare Polymarket books with the hashes that the venue sent')
    .option('--json', 'print a report as JSON')
    .addOption(new Option(HERE).hideHelp())
    .action(async ({ hashes, json, here, ...options }: VerifyOptions) => {
      const { data, cluster } = configOf(options)
      // Use a child only for the streams of the process itself, because a child cannot write to streams that a caller
      // passed.
      if (terminal() === process && cluster === null && here !== true) {
        return print(unreadable(data, await verifyInChild()), json === true)
      }
      await withStore(options, async (store) => {
        print(await verify(store, hashes === true, json === true ? undefined : terminal().stderr), json === true)
      })
    })
  addExamples(command, ['backbook verify --data data', 'backbook verify --data data --hashes --json'])
}

type VerifyReport = StoreReport & { hashes: HashReport | null }

/** Runs this command again in a child process. Returns the signal of a crash. Without a crash, ends this process with
 *  the exit code of the child. */
async function verifyInChild(): Promise<NodeJS.Signals> {
  const command = [...ownCommand(), ...process.argv.slice(2), HERE]
  const child = Bun.spawn(command, { stdio: ['inherit', 'inherit', 'inherit'] })
  const stop = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of STOP_SIGNALS) process.on(signal, stop)
  const exitCode = await child.exited
  for (const signal of STOP_SIGNALS) process.off(signal, stop)
  return CRASHES.find((signal) => signal === child.signalCode) ?? process.exit(exitCode)
}

/** Returns the report on a store that a process did not survive reading. */
const unreadable = (data: string, crash: NodeJS.Signals): VerifyReport => ({
  ...{ partitions: 0, blocks: 0, records: 0, damage: [], hashes: null },
  storeDamage: [`the index of the store in ${data}: the process that read it ended with ${crash}`],
})

/** Prints a report. Throws CommandError if it has damage. */
function print(report: VerifyReport, isJson: boolean): void {
  if (isJson) printReport(report, { partitions: 'market_days' })
  else terminal().stdout.write(plainReport(report))
  const places = report.damage.length + report.storeDamage.length
  if (places === 0) return
  throw new CommandError(`${counted(places, 'place')} ${places === 1 ? 'is' : 'are'} damaged`, EXIT.failed)
}

/** Shows a progress bar if `terminal` is a terminal. */
async function verify(
  store: OpenStore,
  withHashes: boolean,
  terminal: NodeJS.WriteStream | undefined,
): Promise<VerifyReport> {
  const total = terminal?.isTTY === true ? (await store.maintenance.figures()).partitions : 0
  const progress = new Progress({ total, unit: 'market days' }, terminal)
  let startedDays = 0
  try {
    const report = await verifyStore(store, ({ venue, date }) => progress.show(startedDays++, `${venue} ${date}`))
    return {
      ...report,
      hashes: withHashes && report.damage.length + report.storeDamage.length === 0 ? await verifyHashes(store) : null,
    }
  } finally {
    progress.stop()
  }
}

function plainReport({ partitions, blocks, records, damage, storeDamage, hashes }: VerifyReport): string {
  const read = `${counted(records, 'record')} in ${counted(blocks, 'block')} of ${counted(partitions, 'market day')} read`
  const lines = [read]
  for (const { venue, market, date, what } of damage) lines.push(`damaged: ${venue} ${market} ${date}: ${what}`)
  for (const what of storeDamage) lines.push(`damaged: ${what}`)
  if (damage.length + storeDamage.length === 0) lines.push('no damage found')
  if (hashes !== null) {
    lines.push(
      `hashes: ${grouped(hashes.agree)} agree, ${grouped(hashes.disagree)} disagree, ` +
        `${grouped(hashes.notCheckable)} cannot be checked`,
    )
    for (const { market, date, timestamp, assetId, hash } of hashes.disagreements) {
      lines.push(`disagrees: polymarket ${market} ${date}: ${assetId} at ${timestamp}, hash ${hash}`)
    }
  }
  return lines.map((line) => `${escapeControls(line)}\n`).join('')
}
