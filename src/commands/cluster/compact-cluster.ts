// `compact` on a cluster: rewrites past days into large objects.

import { randomBytes } from 'node:crypto'
import type { ClusterSettings } from '../../../storage/cluster/settings/cluster-settings.ts'
import { type CompactReport, compact } from '../../../storage/cluster/upkeep/compact.ts'
import { utcDate } from '../../../storage/units.ts'
import { isUtcDay, mustBe } from '../../http/parameters/parameter.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import { counted, grouped, megabytes, secondsSince } from '../terminal/numbers.ts'
import { printReport } from '../terminal/print-json.ts'
import { CommandError, EXIT } from '../terminal/program.ts'
import { terminal } from '../terminal/terminal.ts'
import { withCluster } from './cluster-parts.ts'

/** Compacts only days before `before`, by default those before today. */
export async function compactCluster(
  settings: ClusterSettings,
  { before = utcDate(Date.now()), json }: { before?: string; json?: true },
): Promise<void> {
  const today = utcDate(Date.now())
  if (!isUtcDay(before) || before > today) {
    throw new CommandError(`--before ${mustBe(`a UTC date up to ${today}, written YYYY-MM-DD`, before)}`, EXIT.usage)
  }
  const startedMs = performance.now()
  const isShown = json !== true && terminal().stderr.isTTY
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
  if (json) printReport({ before, ...report, seconds }, { partitions: 'market_days', segments: 'objects' })
  else terminal().stdout.write(plainReport(report, seconds))
  const { length } = report.damage
  if (length > 0) {
    throw new CommandError(`${counted(length, 'place')} ${length === 1 ? 'is' : 'are'} damaged`, EXIT.failed)
  }
}

function plainReport({ partitions, segments, bytes, refused, damage }: CompactReport, seconds: number): string {
  const lines = [
    `${counted(partitions, 'market day')} in ${counted(segments, 'new object')} (${megabytes(bytes)}), ` +
      `in ${seconds.toFixed(1)} s`,
  ]
  if (refused > 0) lines.push(`${grouped(refused)} changed meanwhile: the next run moves them`)
  for (const { venue, market, date, what } of damage) lines.push(`damaged: ${venue} ${market} ${date}: ${what}`)
  return lines.map((line) => `${escapeControls(line)}\n`).join('')
}
