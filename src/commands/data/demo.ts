// `demo`: generates a synthetic day of both venues, loads it, serves it, and prints commands to paste.

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { inFolder } from '../../../storage/open-store.ts'
import { dateStartMs, utcDate } from '../../../storage/units.ts'
import { type SyntheticDay, syntheticDay } from '../../../workers/synthetic/synthetic-day.ts'
import { accountsUrl, openAccounts } from '../../accounts/open-accounts.ts'
import { isUtcDay } from '../../http/parameters/parameter.ts'
import { operatorsPlan, plansOf } from '../accounts/accounts.ts'
import { assertFree } from '../server/free-address.ts'
import { assertManagementIsGuarded, startServer } from '../server/serve.ts'
import { stopSignal } from '../server/stop-signal.ts'
import { addSettings, type CommandOptions, configOf } from '../settings.ts'
import { folderOf } from '../store-place.ts'
import { counted, grouped } from '../terminal/numbers.ts'
import { addExamples, CommandError } from '../terminal/program.ts'
import { PLAY_DAY, playDay, playToday } from './demo-live.ts'
import { ingest } from './ingest.ts'
import { writeDay, writeMarket } from './write-day.ts'

const DEMO_MARKER = '.demo'
const DEMO_DATE = '2026-07-20'
const EARLIER = [
  ...['store', 'captures', 'segments', 'recorder', 'today'],
  ...['accounts.sqlite', 'accounts.sqlite-wal', 'accounts.sqlite-shm'],
]
/** File mode: only the owner may read and write. */
const OWN = { mode: 0o600 }

type DemoOptions = CommandOptions & { date: string; live: boolean; play?: string }

export function addDemoCommand(program: Command): void {
  const command = program
    .command('demo')
    .description('make a synthetic day of both venues, load it, serve it, and print what to try')
    // Not the default of the settings: that folder holds real data.
    .option('--data <folder>', 'data folder; an earlier demo in it is replaced', 'data/demo')
  addSettings(command, ['host', 'port'])
    .option('--date <date>', 'day to make, YYYY-MM-DD', readDay, DEMO_DATE)
    .option('--no-live', 'do not play the present day into it')
    .addOption(new Option(`${PLAY_DAY} <date>`).hideHelp())
    .action(({ play, ...options }: DemoOptions) => (play === undefined ? runDemo(options) : playDay(play, options)))
  addExamples(command, ['backbook demo', 'backbook demo --data /tmp/demo --port 0'])
}

async function runDemo({ date, live: isLive, ...options }: DemoOptions): Promise<void> {
  // The demo must not make a key in the accounts of a real server, or change its customers.
  const config = { ...configOf(options), accountsUrl: null, stripe: null }
  const data = folderOf(config, 'demo', 'run it without STORE_URL and CATALOGUE_URL')
  // Check everything that can fail before removing the earlier demo.
  assertReplaceable(data)
  assertManagementIsGuarded(config)
  await assertFree(config)
  const say = (text: string) => process.stdout.write(`${text}\n`)
  const day = syntheticDay({ date })
  say(`Generating a synthetic day (${date}) of both venues in ${data} …`)
  clear(data)
  const today = isLive && date !== utcDate(Date.now()) ? syntheticDay({ date: utcDate(Date.now()) }) : undefined
  const captures = [
    ...(await writeDay(data, day)),
    ...(today === undefined ? [] : [writeMarket(join(data, 'today'), today)]),
  ]
  say('Loading it …')
  const report = await ingest(inFolder(data), captures, process.stderr)
  say(
    `${counted(report.records, 'record')} in ${report.seconds.toFixed(1)} s, ${grouped(report.recordsPerSecond)} a second.`,
  )

  const plans = plansOf(config)
  const accounts = await openAccounts(accountsUrl(config.accountsUrl, data), { plans })
  const { secret } = await accounts.createKey({ userId: 'demo', name: 'demo', firstPlan: operatorsPlan(plans) })
  await accounts.close()
  // The demo prints its own start message.
  const logLevel = config.logLevel === 'info' ? 'warn' : config.logLevel
  const server = await startServer({ ...config, logLevel })
  const live = today === undefined ? undefined : playToday(data, server.log)
  const stopped = stopSignal()
  say(`\nbackbook listening on ${server.url}\n`)
  say(linesToPaste({ url: server.url, secret, day, today }))
  await stopped
  await Promise.all([server.stop(), live?.stop()])
}

/** Accepts only days in 20xx: a capture's clock is only accepted in these years. */
function readDay(text: string): string {
  if (isUtcDay(text) && text.startsWith('20')) return text
  throw new InvalidArgumentError('must be a UTC day from 2000-01-01 to 2099-12-31')
}

function assertReplaceable(folder: string): void {
  if (existsSync(join(folder, DEMO_MARKER))) return
  const found = EARLIER.find((part) => existsSync(join(folder, part)))
  if (found === undefined) return
  throw new CommandError(`${folder} holds ${found}, which demo did not make: name another folder`, 2)
}

/** Empties the folder of an earlier demo. */
function clear(folder: string): void {
  for (const part of EARLIER) rmSync(join(folder, part), { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, DEMO_MARKER), 'Made by backbook demo, which may replace this folder.\n', OWN)
}

/** `today` is undefined if no live day is played. */
type Shown = { url: string; secret: string; day: SyntheticDay; today: SyntheticDay | undefined }

function linesToPaste({ url, secret, day, today }: Shown): string {
  const auth = `-H 'Authorization: Bearer ${secret}'`
  const noonSeconds = dateStartMs(day.date) / 1_000 + 12 * 3_600
  return [
    '# Open in a browser: the day of a Kalshi market, with its book at noon. The link brings the key:',
    `${url}/explore/kalshi/${day.kalshiTicker}?at=${day.date}T12:00:00Z#key=${secret}`,
    '',
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
    ...(today === undefined ? [] : linesOfToday(url, auth, today)),
    `# The documentation: ${url}/docs`,
    `curl -s '${url}/docs/json'`,
    '',
    'Ctrl-C ends the demo.',
  ].join('\n')
}

function linesOfToday(url: string, auth: string, { kalshiTicker }: SyntheticDay): string[] {
  return [
    '# A synthetic today is played in real time. Its quotes begin in some seconds, and continue until 24:00 UTC:',
    `curl -sN ${auth} '${url}/stream?markets=kalshi:${kalshiTicker}&channels=quotes'`,
    '',
  ]
}
