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
/** Time to record messages still under way when the day ends. */
const AFTER_MS = 5_000

/** Plays today, and each following day, into a data folder. Starts as soon as the day is generated. */
export function playDays(data: string, log: Log): { stop(): Promise<void> } {
  let day: PlayedDay | undefined
  let isStopping = false
  let timer: Timer | undefined
  const begin = () => {
    const date = utcDate(Date.now())
    day = new PlayedDay(data, date, log)
    timer = setTimeout(
      async () => {
        await day?.stop()
        if (!isStopping) begin()
      },
      dateStartMs(date) + DAY_MS + AFTER_MS - Date.now(),
    )
  }
  begin()
  return {
    async stop() {
      isStopping = true
      clearTimeout(timer)
      await day?.stop()
    },
  }
}

/** A process that plays a day, and a recorder of it. */
class PlayedDay {
  readonly #player: ReturnType<typeof spawnPlayer>
  readonly #started: Promise<void>
  #recorder: RecorderChild | undefined
  #isStopping = false

  constructor(data: string, date: string, log: Log) {
    this.#player = spawnPlayer(join(data, 'today'), date)
    this.#started = this.#start(data, date, log)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#recorder?.stop()
    this.#player.kill('SIGTERM')
    await this.#started
    await this.#player.exited
  }

  async #start(data: string, date: string, log: Log): Promise<void> {
    let printed = ''
    for await (const bytes of this.#player.stdout) {
      printed += new TextDecoder().decode(bytes)
      const url = /^playing on http:(\S+)$/m.exec(printed)?.[1]
      if (url !== undefined && this.#recorder === undefined && !this.#isStopping) {
        this.#recorder = record(data, recordToml(`ws:${url}`, date), log)
      }
    }
    if (!this.#isStopping) log.error({}, 'the live day has stopped playing')
  }
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
  const window = `from=${Date.now()}&to=${dateStartMs(date) + DAY_MS - 1}&speed=1`
  return [
    '# What the demo records.',
    'commit_seconds = 1',
    '# It comes at its own times: those of the clock are as a venue would have them.',
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
