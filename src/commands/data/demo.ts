// `demo`: makes a synthetic day of both venues, loads it, serves it, and prints lines to paste.

import { once } from 'node:events'
import { createWriteStream, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGzip } from 'node:zlib'
import { type Command, InvalidArgumentError } from 'commander'
import { hasStore } from '../../../storage/open-store.ts'
import { dateStartMs } from '../../../storage/units.ts'
import { type SyntheticDay, syntheticDay } from '../../../workers/synthetic/synthetic-day.ts'
import { accountsUrl, openAccounts } from '../../accounts/open-accounts.ts'
import { isUtcDay } from '../../http/parameters/parameter.ts'
import { operatorsPlan, plansOf } from '../accounts/accounts.ts'
import { assertFree } from '../server/free-address.ts'
import { assertManagementIsGuarded, startServer } from '../server/serve.ts'
import { stopSignal } from '../server/stop-signal.ts'
import { addSettings, type CommandOptions, configOf } from '../settings.ts'
import { counted, grouped } from '../terminal/numbers.ts'
import { addExamples, CommandError } from '../terminal/program.ts'
import { ingest } from './ingest.ts'

const DEMO_MARKER = '.demo'
const DEMO_DATE = '2026-07-20'
const LINES_A_WRITE = 2_000
/** The mode of files: their owner's alone. */
const OWN = { mode: 0o600 }

type DemoOptions = CommandOptions & { date: string }

export function addDemoCommand(program: Command): void {
  const command = program
    .command('demo')
    .description('make a synthetic day of both venues, load it, serve it, and print what to try')
    // The default is not that of the settings: that folder holds real data.
    .option('--data <folder>', 'data folder; an earlier demo in it is replaced', 'data/demo')
  addSettings(command, ['host', 'port'])
    .option('--date <date>', 'day to make, YYYY-MM-DD', readDay, DEMO_DATE)
    .action(runDemo)
  addExamples(command, ['backbook demo', 'backbook demo --data /tmp/demo --port 0'])
}

async function runDemo({ date, ...options }: DemoOptions): Promise<void> {
  const config = configOf(options)
  const { data } = config
  // Everything that can be refused is refused before the earlier demo is removed.
  assertReplaceable(data)
  assertManagementIsGuarded(config)
  await assertFree(config)
  const say = (text: string) => process.stdout.write(`${text}\n`)
  const day = syntheticDay({ date })
  say(`Generating a synthetic day (${date}) of both venues in ${data} …`)
  const captures = await writeCaptures(data, day)
  say('Loading it …')
  const report = await ingest(data, captures, process.stderr)
  say(
    `${counted(report.records, 'record')} in ${report.seconds.toFixed(1)} s, ${grouped(report.recordsPerSecond)} a second.`,
  )

  const plans = plansOf(config)
  const accounts = await openAccounts(accountsUrl(config.accountsUrl, data), { plans })
  const { secret } = await accounts.createKey({ userId: 'demo', name: 'demo', firstPlan: operatorsPlan(plans) })
  await accounts.close()
  // The demo prints its own start.
  const logLevel = config.logLevel === 'info' ? 'warn' : config.logLevel
  const server = await startServer({ ...config, logLevel })
  const stopped = stopSignal()
  say(`\nbackbook listening on ${server.url}\n`)
  say(linesToPaste(server.url, secret, day))
  await stopped
  await server.stop()
}

/** A capture's clock is believed only in these years. */
function readDay(text: string): string {
  if (isUtcDay(text) && text.startsWith('20')) return text
  throw new InvalidArgumentError('must be a UTC day from 2000-01-01 to 2099-12-31')
}

function assertReplaceable(folder: string): void {
  if (!hasStore(folder) || existsSync(join(folder, DEMO_MARKER))) return
  throw new CommandError(`${folder} holds a store that demo did not make: name another folder`, 2)
}

/** Writes the day as a recorder would: a capture for each venue, and the event's metadata. */
async function writeCaptures(folder: string, day: SyntheticDay): Promise<string[]> {
  for (const part of ['store', 'captures', 'accounts.sqlite', 'accounts.sqlite-wal', 'accounts.sqlite-shm']) {
    if (existsSync(join(folder, part))) rmSync(join(folder, part), { recursive: true })
  }
  mkdirSync(join(folder, 'captures'), { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, DEMO_MARKER), 'Made by backbook demo, which may replace this folder.\n', OWN)
  const path = (name: string) => join(folder, 'captures', name)
  await writeLines(path(`kalshi-${day.date}.ndjson.gz`), day.kalshiLines)
  await writeLines(path(`polymarket-${day.date}.ndjson.gz`), day.polymarketLines)
  writeFileSync(path('event.json'), JSON.stringify(day.gammaEvent), OWN)
  return [path(`kalshi-${day.date}.ndjson.gz`), path(`polymarket-${day.date}.ndjson.gz`), path('event.json')]
}

async function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  const gzip = createGzip({ level: 1 })
  const file = gzip.pipe(createWriteStream(path, OWN))
  let pending: string[] = []
  const write = async () => {
    if (!gzip.write(pending.join(''))) await once(gzip, 'drain')
    pending = []
  }
  for (const line of lines) {
    pending.push(`${line}\n`)
    if (pending.length === LINES_A_WRITE) await write()
  }
  await write()
  gzip.end()
  await once(file, 'finish')
}

function linesToPaste(url: string, secret: string, day: SyntheticDay): string {
  const auth = `-H 'Authorization: Bearer ${secret}'`
  const noonSeconds = dateStartMs(day.date) / 1_000 + 12 * 3_600
  return [
    '# Paste into another terminal. The documentation uses these two variables:',
    `export BACKBOOK_URL=${url}`,
    `export BACKBOOK_KEY=${secret}`,
    '',
    '# Top of the book of a Kalshi market, minute by minute, for the whole day:',
    `curl -s ${auth} '${url}/api/v1/kalshi/market/orderbook-summary?ticker=${day.kalshiTicker}&date=${day.date}&resolution=60'`,
    '',
    '# Ten seconds of a Polymarket outcome at noon, second by second:',
    `curl -s ${auth} '${url}/api/v1/polymarket/market/orderbook-summary?condition_id=${day.conditionId}` +
      `&asset_id=${day.assetIds[0]}&start_timestamp=${noonSeconds}&end_timestamp=${noonSeconds + 9}&resolution=1'`,
    '',
    '# The first five raw messages, as the venue sent them:',
    `curl -s ${auth} '${url}/api/v1/polymarket/market/data?condition_id=${day.conditionId}&date=${day.date}&limit=5'`,
    '',
    '# The stored markets, and the markets of a slug:',
    `curl -s ${auth} '${url}/api/v1/kalshi/market/list'`,
    `curl -s '${url}/api/v1/lookup/slug?slug=${day.slug}'`,
    '',
    `# The documentation: ${url}/docs`,
    `curl -s '${url}/docs/json'`,
    '',
    'Ctrl-C ends the demo.',
  ].join('\n')
}
