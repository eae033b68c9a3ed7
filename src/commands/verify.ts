// `verify`: reads a whole data folder and tells what in it is damaged, by market and date; with `--hashes`, how many of
// Polymarket's own checksums the rebuilt books agree with.

import type { Command } from 'commander'
import { hasStore, openStore, type Store } from '../../storage/open-store.ts'
import { type HashReport, verifyHashes } from '../../workers/verify/verify-hashes.ts'
import { type StoreReport, verifyStore } from '../../workers/verify/verify-store.ts'
import { CommandError } from './program.ts'
import { addSettings, type CommandOptions, configOf } from './settings.ts'

type VerifyOptions = CommandOptions & { hashes?: true; json?: true }

export function addVerifyCommand(program: Command): void {
  addSettings(program.command('verify'), ['data'])
    .description('read everything that is stored and check it')
    .option('--hashes', 'check Polymarket books against the hashes sent with them')
    .option('--json', 'print one JSON report')
    .action(async ({ hashes, json, ...options }: VerifyOptions) => {
      const { data } = configOf(options)
      if (!hasStore(data)) throw new CommandError(`there is no store in ${data}`, 2)
      const store = openStore(data)
      try {
        const report = verify(store, hashes === true)
        process.stdout.write(json ? `${JSON.stringify(report)}\n` : plainReport(report))
        if (report.damage.length > 0) throw new CommandError(`${report.damage.length} places are damaged`, 1)
      } finally {
        await store.close()
      }
    })
}

type VerifyReport = StoreReport & { hashes: HashReport | null }

function verify(store: Store, withHashes: boolean): VerifyReport {
  const report = verifyStore(store, () => {})
  return { ...report, hashes: withHashes && report.damage.length === 0 ? verifyHashes(store) : null }
}

function plainReport({ partitions, blocks, records, damage, hashes }: VerifyReport): string {
  const count = (value: number) => value.toLocaleString('en-US')
  const lines = [`${count(records)} records in ${count(blocks)} blocks of ${count(partitions)} market days read`]
  for (const { venue, market, date, what } of damage) lines.push(`damaged: ${venue} ${market} ${date}: ${what}`)
  if (damage.length === 0) lines.push('no damage found')
  if (hashes !== null) {
    lines.push(
      `hashes: ${count(hashes.agree)} agree, ${count(hashes.disagree)} disagree, ` +
        `${count(hashes.notCheckable)} cannot be checked`,
    )
    for (const { market, date, timestamp, assetId, hash } of hashes.disagreements) {
      lines.push(`disagrees: polymarket ${market} ${date}: ${assetId} at ${timestamp}, hash ${hash}`)
    }
  }
  return lines.map((line) => `${line}\n`).join('')
}
