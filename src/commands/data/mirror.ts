// `mirror`: copies the files of another server's days into a folder, and checks each.

import type { Command } from 'commander'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import { mustBe } from '../../http/parameters/parameter.ts'
import { type MirrorReport, mirrorServer } from '../../mirror/mirror-server.ts'
import { RemoteServer } from '../../mirror/remote-server.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import { venueOption } from '../questions/market-question.ts'
import { counted, megabytes } from '../terminal/numbers.ts'
import { printJson } from '../terminal/print-json.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { terminal } from '../terminal/terminal.ts'
import { assertDay, marketOf } from './day-options.ts'

type MirrorOptions = { to: string; venue?: Venue; from?: string; toDate?: string; market?: string; json?: true }

const KEY = 'BACKBOOK_KEY'

export function addMirrorCommand(program: Command): void {
  const command = program
    .command('mirror')
    .description(`copy the missing day files from another server; the API key is in ${KEY}`)
    .argument('<url>', 'the server, such as http://127.0.0.1:8080')
    .requiredOption('-o, --to <folder>', 'folder to copy to; created if it is missing')
    .addOption(venueOption())
    .option('--start, --from <date>', 'the first UTC day, YYYY-MM-DD (default: the first stored one)')
    .option('--end, --to-date <date>', 'the last UTC day, YYYY-MM-DD (default: the last stored one)')
    .option('--market <id>', 'only this market of the venue')
    .option('--json', 'print a report as JSON')
    .action(mirror)
  addExamples(command, [
    `${KEY}=bb_… backbook mirror http://127.0.0.1:8080 --to archive --venue kalshi`,
    'backbook mirror https://data.example.com --to archive --from 2026-07-01 --to-date 2026-07-31 --json',
  ])
}

async function mirror(given: string, { to, venue, from, toDate, market, json }: MirrorOptions): Promise<void> {
  const url = serverAddress(given)
  assertDay('--from', from)
  assertDay('--to-date', toDate)
  const venues = venue === undefined ? VENUES : [venue]
  const wanted = { venues, from, to: toDate, market: market === undefined ? null : marketOf(venue, market), folder: to }
  const server = new RemoteServer({ url, key: terminal().env[KEY] || null })
  const isShown = json !== true && terminal().stderr.isTTY
  const show = (report: MirrorReport, place: string) => {
    const done = report.copied + report.present + report.failures.length
    terminal().stderr.write(`\r\u001b[K${counted(done, 'file')} ${escapeControls(place)}`)
  }
  const report = await mirrorServer(server, wanted, isShown ? show : () => undefined)
  if (isShown) terminal().stderr.write('\r\u001b[K')
  if (json) printJson({ url, folder: to, ...report })
  else terminal().stdout.write(plainReport(to, report))
  if (report.failures.length > 0) {
    throw new CommandError(
      `${counted(report.failures.length, 'file')} could not be copied: run mirror again`,
      EXIT.failed,
    )
  }
  if (report.copied + report.present === 0) throw new CommandError('the server has no such files', EXIT.notStored)
}

function serverAddress(given: string): string {
  if (/^https?:\/\/[^?#]+$/.test(given) && URL.canParse(given)) return given.replace(/\/+$/, '')
  throw new CommandError(`<url> ${mustBe('the http or https address of a server', given)}`, EXIT.usage)
}

function plainReport(folder: string, { dates, copied, sent_bytes, present, failures }: MirrorReport): string {
  const lines = failures.map(({ file, reason }) => `${file}: ${reason}`)
  lines.push(
    `${folder}: ${counted(copied, 'file')} copied (${megabytes(sent_bytes)} sent), ` +
      `${counted(present, 'file')} already there and intact, of ${counted(dates, 'date')}`,
  )
  return lines.map((line) => `${escapeControls(line)}\n`).join('')
}
