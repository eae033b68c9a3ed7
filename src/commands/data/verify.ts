// `verify`: reads a whole data folder and reports damage by market and date. With `--hashes` it also compares the
// rebuilt books with Polymarket's own hashes.

import type { Command } from 'commander'
import type { OpenStore } from '../../../storage/open-store.ts'
import { type HashReport, verifyHashes } from '../../../workers/verify/verify-hashes.ts'
import { type StoreReport, verifyStore } from '../../../workers/verify/verify-store.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import { withStore } from '../questions/stored-data.ts'
import { addSettings, type CommandOptions } from '../settings.ts'
import { counted, grouped } from '../terminal/numbers.ts'
import { printReport } from '../terminal/print-json.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { Progress } from '../terminal/progress.ts'
import { terminal } from '../terminal/terminal.ts'

type VerifyOptions = CommandOptions & { hashes?: true; json?: true }

export function addVerifyCommand(program: Command): void {
  const command = addSettings(program.command('verify'), ['data'])
    .description('read and check everything that is stored')
    .option('--hashes', 'also compare Polymarket books with the hashes that the venue sent')
    .option('--json', 'print a report as JSON')
    .action(async ({ hashes, json, ...options }: VerifyOptions) => {
      await withStore(options, async (store) => {
        const report = await verify(store, hashes === true, json === true ? undefined : terminal().stderr)
        if (json === true) printReport(report, { partitions: 'market_days' })
        else terminal().stdout.write(plainReport(report))
        const places = report.damage.length + report.storeDamage.length
        if (places > 0)
          throw new CommandError(`${counted(places, 'place')} ${places === 1 ? 'is' : 'are'} damaged`, EXIT.failed)
      })
    })
  addExamples(command, ['backbook verify --data data', 'backbook verify --data data --hashes --json'])
}

type VerifyReport = StoreReport & { hashes: HashReport | null }

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
