// The live part of the demo: its own server plays a synthetic day with today's date in real time, in the venues'
// protocols. A recorder records the day into the demo's store as it would record the venues.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inFolder } from '../../../storage/open-store.ts'
import { systemTimers } from '../../../storage/retry/timers.ts'
import { DAY_MS, dateStartMs, utcDate } from '../../../storage/units.ts'
import { syntheticDay } from '../../../workers/synthetic/synthetic-day.ts'
import { childEnvironment } from '../../config/child-environment.ts'
import { ownCommand } from '../../lookup/slug-store.ts'
import type { Log } from '../../observe/log/log.ts'
import { type RecorderChild, spawnRecorder, superviseRecorder } from '../../record/process/recorder-child.ts'
import { stdinEnd } from '../server/record.ts'
import { startServer } from '../server/serve.ts'
import { stopSignal, UNTIL_STDIN_ENDS } from '../server/stop-signal.ts'
import { type CommandOptions, configOf } from '../settings.ts'
import { ingest } from './ingest.ts'
import { writeDay } from './write-day.ts'

/** Flag of the process that plays a day. */
export const PLAY_DAY = '--play'
/** Time until a started recorder connects. The day is played from then on, so that its messages are not late. */
const CONNECTS_AFTER_MS = 700
/** Time to record messages still under way when the day ends. */
const AFTER_MS = 5_000

/** Plays and records a synthetic day with today's date into a data folder until the day ends. Recording starts once
 *  the day is generated. */
export function playToday(data: string, log: Log): { stop(): Promise<void> } {
  const date = utcDate(Date.now())
  const player = spawnPlayer(join(data, 'today'), date)
  let recorder: RecorderChild | undefined
  let isStopping = false
  const play = async () => {
    let printed = ''
    for await (const bytes of player.stdout) {
      printed += new TextDecoder().decode(bytes)
      const url = /^playing on http:(\S+)$/m.exec(printed)?.[1]
      if (url !== undefined && recorder === undefined && !isStopping) {
        recorder = record(data, recordToml(`ws:${url}`, date), log)
      }
    }
    if (!isStopping) log.error({}, 'the live day has stopped playing')
  }
  const played = play()
  const stop = async () => {
    isStopping = true
    clearTimeout(timer)
    await recorder?.stop()
    player.kill('SIGTERM')
    await played
    await player.exited
  }
  // Stop after the end of the day: the recorder would connect again, and request a window that has passed.
  const timer = setTimeout(stop, dateStartMs(date) + DAY_MS + AFTER_MS - Date.now())
  return { stop }
}

const spawnPlayer = (folder: string, date: string) =>
  // The child's standard input closes when this process ends in any way. Then the child ends too.
  Bun.spawn([...ownCommand(), 'demo', '--data', folder, PLAY_DAY, date], {
    ...{ stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' },
    env: { ...childEnvironment(process.env), WORKER_THREADS: '1' },
  })

function record(data: string, toml: string, log: Log): RecorderChild {
  const file = join(data, 'today', 'record.toml')
  writeFileSync(file, toml, { mode: 0o600 })
  const args = ['record', '--data', data, '--config', file, '--log-level', 'warn', UNTIL_STDIN_ENDS]
  const start = () => spawnRecorder([...ownCommand(), ...args], null)
  return superviseRecorder({ start, timers: systemTimers, random: Math.random, nowMs: () => performance.now(), log })
}

function recordToml(url: string, date: string): string {
  const { kalshiTicker, assetIds } = syntheticDay({ date })
  const window = `from=${Date.now() + CONNECTS_AFTER_MS}&to=${dateStartMs(date) + DAY_MS - 1}&speed=1`
  return [
    '# What the demo records.',
    'commit_seconds = 1',
    '# Records messages as of now, as from a venue, not as of the times that they had.',
    'replay_times = false',
    '[kalshi]',
    `ws_url = "${url}/replay/kalshi/trade-api/ws/v2?${window}"`,
    `tickers = ["${kalshiTicker}"]`,
    '[polymarket]',
    `ws_url = "${url}/replay/polymarket/ws/market?${window}"`,
    'gamma_url = ""',
    'clob_url = ""',
    `asset_ids = [${assetIds.map((id) => `"${id}"`).join(', ')}]`,
    '',
  ].join('\n')
}

/** Generates a day in its own data folder, and serves it to this machine until standard input closes. */
export async function playDay(date: string, options: CommandOptions): Promise<void> {
  const config = configOf(options)
  const captures = await writeDay(config.data, syntheticDay({ date }))
  await ingest(inFolder(config.data), captures, undefined)
  const here = { host: '127.0.0.1', port: 0, localAccessOpen: true, accountsUrl: null, accessLog: false }
  const server = await startServer({ ...config, ...here, logLevel: 'warn' })
  process.stdout.write(`playing on ${server.url}\n`)
  await Promise.race([stopSignal({ isPatient: true }), stdinEnd()])
  await server.stop()
  process.exit()
}
