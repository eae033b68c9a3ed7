// `verify`: reads a whole data folder and reports damage by market and date. Reads a folder in a child process,
// because some damage of LMDB's index crashes the process that reads it. A crash of the child is reported as damage.

import { type Command, Option } from 'commander'
import type { OpenStore } from '../../../storage/open-store.ts'
import { type StoreReport, verifyStore } from '../../../workers/verify/verify-store.ts'
import { ownCommand } from '../../lookup/slug-store.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import { withStore } from '../questions/stored-data.ts'
import { addSettings, type CommandOptions, configOf } from '../settings.ts'
import { counted } from '../terminal/numbers.ts'
import { printReport } from '../terminal/print-json.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { Progress } from '../terminal/progress.ts'
import { terminal } from '../terminal/terminal.ts'

type VerifyOptions = CommandOptions & { json?: true; here?: true }

/** Flag of the child process. */
const HERE = '--here'
/** Signals by which the system and LMDB end a process that reads a damaged index. */
const CRASHES = ['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', 'SIGTRAP'] as const
const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const

export function addVerifyCommand(program: Command): void {
  const command = addSettings(program.command('verify'), ['data'])
    .description('read and check everything that is stored')
    .option('--json', 'print a report as JSON')
    .addOption(new Option(HERE).hideHelp())
    .action(async ({ json, here, ...options }: VerifyOptions) => {
      const { data, cluster } = configOf(options)
      // Use a child only if the output goes to the streams of the process, because a child cannot write to streams
      // that a caller passed.
      if (terminal() === process && cluster === null && here !== true) {
        return print(unreadable(data, await verifyInChild()), json === true)
      }
      await withStore(options, async (store) => {
        print(await verify(store, json === true ? undefined : terminal().stderr), json === true)
      })
    })
  addExamples(command, ['backbook verify --data data', 'backbook verify --data data --json'])
}

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

/** Returns the report on a store whose damage crashed the process that read it. */
const unreadable = (data: string, crash: NodeJS.Signals): StoreReport => ({
  ...{ partitions: 0, blocks: 0, records: 0, damage: [] },
  storeDamage: [`the index of the store in ${data}: the process that read it ended with ${crash}`],
})

/** Prints a report. Throws CommandError if it lists damage. */
function print(report: StoreReport, isJson: boolean): void {
  if (isJson) printReport(report, { partitions: 'market_days' })
  else terminal().stdout.write(plainReport(report))
  const places = report.damage.length + report.storeDamage.length
  if (places === 0) return
  throw new CommandError(`${counted(places, 'place')} ${places === 1 ? 'is' : 'are'} damaged`, EXIT.failed)
}

/** Shows a progress bar if `terminal` is a terminal. */
async function verify(store: OpenStore, terminal: NodeJS.WriteStream | undefined): Promise<StoreReport> {
  const total = terminal?.isTTY === true ? (await store.maintenance.stats()).partitions : 0
  const progress = new Progress({ total, unit: 'market days' }, terminal)
  let startedDays = 0
  try {
    return await verifyStore(store, ({ venue, date }) => progress.show(startedDays++, `${venue} ${date}`))
  } finally {
    progress.stop()
  }
}

function plainReport({ partitions, blocks, records, damage, storeDamage }: StoreReport): string {
  const read = `${counted(records, 'record')} in ${counted(blocks, 'block')} of ${counted(partitions, 'market day')} read`
  const lines = [read]
  for (const { venue, market, date, what } of damage) lines.push(`damaged: ${venue} ${market} ${date}: ${what}`)
  for (const what of storeDamage) lines.push(`damaged: ${what}`)
  if (damage.length + storeDamage.length === 0) lines.push('no damage found')
  return lines.map((line) => `${escapeControls(line)}\n`).join('')
}
