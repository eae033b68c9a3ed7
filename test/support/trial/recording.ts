// Runs the recorder as a separate process. Reads its status, its segments and /proc.

import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { RecorderStatus } from '../../../src/record/status/recorder-status.ts'
import type { SmallDisk } from './small-disk.ts'
import type { TrialVenues } from './trial-venues.ts'

const MAIN = join(import.meta.dir, 'recorder-main.ts')
const STARTED_WITHIN_MS = 60_000

type Table = Record<string, unknown>
export type TrialSettings = { own?: Table; polymarket?: Table; kalshi?: Table }

/** Returns a configuration with short deadlines, so that faults show soon. It names all markets of the venues. */
export function trialConfig(
  venues: TrialVenues,
  { own = {}, polymarket = {}, kalshi = {} }: TrialSettings = {},
): Table {
  const deadlines = {
    pingMs: 1_000,
    pongMs: 2_000,
    snapshotMs: 3_000,
    reconnectJitterMs: 200,
    backoffFromMs: 200,
    backoffToMs: 2_000,
  }
  const tokens = venues.of('polymarket').flatMap(({ tokens }) => tokens!)
  const tickers = venues.of('kalshi').map(({ market }) => market)
  return {
    ...{ recorder_id: 'trial', disk_free_mb: 0, checkMs: 250, ...own },
    ...(tokens.length === 0
      ? {}
      : {
          polymarket: {
            ws_url: venues.polymarket.wsUrl,
            clob_url: venues.polymarket.clobUrl,
            gamma_url: venues.restUrl,
            asset_ids: polymarket['all'] === true ? [] : tokens,
            silenceMs: 3_000,
            broadBooks: 1,
            ...deadlines,
            ...polymarket,
          },
        }),
    ...(tickers.length === 0
      ? {}
      : {
          kalshi: {
            ws_url: venues.kalshi.wsUrl,
            rest_url: `${venues.restUrl}/trade-api/v2`,
            tickers,
            ...deadlines,
            replyMs: 3_000,
            resyncMs: 3_000,
            ...kalshi,
          },
        }),
  }
}

type AttemptContext = { disk?: SmallDisk; variables?: Record<string, string> }

type Child = Bun.Subprocess<'ignore', 'ignore', Bun.BunFile>

export class Recording {
  /** The data folder of the recorder. */
  readonly folder: string
  readonly #logs: string
  readonly #child: Child

  private constructor(folder: string, logs: string, child: Child) {
    this.folder = folder
    this.#logs = logs
    this.#child = child
  }

  /** Starts a recorder. `config` is what `recordConfig` accepts. `variables` are added to the environment. `disk`
   *  starts the process where the data folder is a separate disk. */
  static start(folder: string, config: Table, { disk, variables = {} }: AttemptContext = {}) {
    const logs = disk === undefined ? folder : dirname(folder)
    mkdirSync(logs, { recursive: true })
    const path = join(logs, 'record.json')
    writeFileSync(path, JSON.stringify(config))
    const command = [process.execPath, MAIN, folder, path]
    const env = { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'info', ...variables }
    const stderr = Bun.file(join(logs, `record-${Date.now()}.log`))
    const child = Bun.spawn([...(disk?.enter ?? []), ...command], { env, stdin: 'ignore', stdout: 'ignore', stderr })
    return new Recording(disk?.folder ?? folder, logs, child)
  }

  get pid(): number {
    return this.#child.pid
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** Returns the status; undefined until this process has written one. */
  get status(): RecorderStatus | undefined {
    try {
      const status = JSON.parse(readFileSync(join(this.folder, 'recorder/status.json'), 'utf8')) as RecorderStatus
      return status.pid === this.pid ? status : undefined
    } catch {
      return undefined
    }
  }

  /** Waits until the status meets a condition. Throws if this takes too long, or if the recorder has ended. */
  async until(what: string, isMet: (status: RecorderStatus) => boolean, withinMs = STARTED_WITHIN_MS): Promise<void> {
    const untilMs = performance.now() + withinMs
    for (;;) {
      const { status } = this
      if (status !== undefined && isMet(status)) return
      if (this.hasEnded) throw new Error(`${what}: the recorder has ended: ${this.log()}`)
      if (performance.now() > untilMs) throw new Error(`${what}: not so: ${JSON.stringify(status)}`)
      await Bun.sleep(50)
    }
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#child.exited
  }

  /** Stops the recorder. Throws if its exit code is not 0. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    const code = await this.#child.exited
    if (code !== 0) throw new Error(`the recorder ended with ${code ?? this.#child.signalCode}: ${this.log()}`)
  }

  /** Returns the last part of what its processes wrote to stderr. */
  log(): string {
    const names = readdirSync(this.#logs).filter((name) => name.startsWith('record-') && name.endsWith('.log'))
    const last = names.sort().at(-1)
    return last === undefined ? '' : readFileSync(join(this.#logs, last), 'utf8').slice(-4_000)
  }

  vitals(): { ownMb: number; residentMb: number; descriptors: number; sockets: number; threads: number } {
    const proc = `/proc/${this.pid}`
    const status = readFileSync(`${proc}/status`, 'utf8')
    const mb = (name: string) =>
      Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 102.4) / 10
    const descriptors = readdirSync(`${proc}/fd`)
    const sockets = descriptors.filter((name) => linkOf(`${proc}/fd/${name}`).startsWith('socket:'))
    const threads = readdirSync(`${proc}/task`).length
    return {
      ownMb: mb('RssAnon'),
      residentMb: mb('VmRSS'),
      descriptors: descriptors.length,
      sockets: sockets.length,
      threads,
    }
  }

  /** Returns the processor time so far, in seconds. */
  cpuSeconds(): number {
    const fields = readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
