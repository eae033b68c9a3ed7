// `compact`: rewrites the store's file without its free pages, while no other process has the store open. In a
// cluster, rewrites past days into large objects, while other processes use the cluster.

import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import type { ClusterSettings } from '../../../storage/cluster/settings/cluster-settings.ts'
import { type CompactReport, compact } from '../../../storage/cluster/upkeep/compact.ts'
import { compactStore } from '../../../storage/keep-store.ts'
import { utcDate } from '../../../storage/units.ts'
import { isUtcDay, mustBe } from '../../http/parameters/parameter.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import { withCluster } from '../cluster/cluster-parts.ts'
import { assertStore } from '../questions/stored-data.ts'
import { addSettings, type CommandOptions, configOf } from '../settings.ts'
import { counted, grouped, megabytes, secondsSince } from '../terminal/numbers.ts'
import { printReport } from '../terminal/print-json.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { StepProgress } from '../terminal/progress.ts'
import { terminal } from '../terminal/terminal.ts'

type CompactOptions = CommandOptions & { before?: string; json?: true }

export function addCompactCommand(program: Command): void {
  const command = addSettings(program.command('compact'), ['data'])
    .description(
      'rewrite the store in a folder without free space (stop the server first), or past days of a cluster into ' +
        'large objects (can run beside everything else)',
    )
    .option('--before <date>', 'of a cluster: only days before this UTC date, YYYY-MM-DD (default: today)')
    .option('--json', 'print a report as JSON')
    .action(async ({ before, json, ...options }: CompactOptions) => {
      const { data, cluster } = configOf(options)
      if (cluster !== null) return compactCluster(cluster, { before, isJson: json === true })
      if (before !== undefined) throw new CommandError('--before is for a store of a cluster', EXIT.usage)
      await compactFolder(data, json === true)
    })
  addExamples(command, ['backbook compact --data data', 'STORE_URL=s3://… CATALOGUE_URL=postgres://… backbook compact'])
}

async function compactFolder(data: string, asJson: boolean): Promise<void> {
  assertStore(data)
  const startedMs = performance.now()
  const progress = new StepProgress(asJson ? undefined : terminal().stderr)
  const onProgress = (bytes: number, of: number) => progress.show('compacting', bytes, of)
  const { bytesBefore, bytesAfter } = await compactStore(data, onProgress).finally(() => progress.stop())
  const seconds = secondsSince(startedMs)
  const report = { data, bytes_before: bytesBefore, bytes_after: bytesAfter, seconds }
  const line = `${megabytes(bytesBefore)} before, ${megabytes(bytesAfter)} after, in ${seconds.toFixed(1)} s`
  terminal().stdout.write(asJson ? `${JSON.stringify(report)}\n` : `${line}\n`)
}

/** Compacts the days before `before`, which is today by default. */
async function compactCluster(
  settings: ClusterSettings,
  { before: given, isJson }: { before: string | undefined; isJson: boolean },
): Promise<void> {
  const today = utcDate(Date.now())
  const before = given ?? today
  if (!isUtcDay(before) || before > today) {
    throw new CommandError(`--before ${mustBe(`a UTC date up to ${today}, written YYYY-MM-DD`, before)}`, EXIT.usage)
  }
  const startedMs = performance.now()
  const isShown = !isJson && terminal().stderr.isTTY
  const onSegment = ({ partitions, bytes }: CompactReport, { venue, date }: { venue: string; date: string }) => {
    const line = `${counted(partitions, 'market day')}, ${megabytes(bytes)}, at ${venue} ${date}`
    if (isShown) terminal().stderr.write(`\r\u001b[K${escapeControls(line)}`)
  }
  const report = await withCluster(settings, (parts) => {
    const random = (count: number) => new Uint8Array(randomBytes(count))
    return compact({ ...parts, nowMs: Date.now, randomBytes: random }, { before, onSegment })
  })
  if (isShown) terminal().stderr.write('\r\u001b[K')
  const seconds = secondsSince(startedMs)
  if (isJson) printReport({ before, ...report, seconds }, { partitions: 'market_days', segments: 'objects' })
  else terminal().stdout.write(clusterReport(report, seconds))
  const { length } = report.damage
  if (length > 0) {
    throw new CommandError(`${counted(length, 'place')} ${length === 1 ? 'is' : 'are'} damaged`, EXIT.failed)
  }
}

function clusterReport({ partitions, segments, bytes, refused, damage }: CompactReport, seconds: number): string {
  const lines = [
    `${counted(partitions, 'market day')} in ${counted(segments, 'new object')} (${megabytes(bytes)}), ` +
      `in ${seconds.toFixed(1)} s`,
  ]
  if (refused > 0) lines.push(`${grouped(refused)} changed meanwhile: the next run moves them`)
  for (const { venue, market, date, what } of damage) lines.push(`damaged: ${venue} ${market} ${date}: ${what}`)
  return lines.map((line) => `${escapeControls(line)}\n`).join('')
}
