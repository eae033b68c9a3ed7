// Whether the process can still open files and sockets. Without a free descriptor the runtime accepts no connection: it
// tries again without a pause, and reports nothing.

import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Log } from '../log/log.ts'

const CHECK_EVERY_MS = 1_000
/** After a shortage, the status shows it and the log does not repeat it for so long. */
const SHOWN_MS = 60_000

export type DescriptorState = { isShort: boolean; open: number | null; limit: number | null }

type Parts = { log: Pick<Log, 'error'>; probe?: () => void; elapsedMs?: () => number }

export class DescriptorWatch {
  readonly #log: Pick<Log, 'error'>
  readonly #probe: () => void
  readonly #elapsedMs: () => number
  #shortMs = Number.NEGATIVE_INFINITY
  #loggedMs = Number.NEGATIVE_INFINITY
  #timer: Timer | undefined

  constructor({ log, probe = openOne, elapsedMs = () => performance.now() }: Parts) {
    this.#log = log
    this.#probe = probe
    this.#elapsedMs = elapsedMs
  }

  start(): void {
    this.#timer = setInterval(() => this.check(), CHECK_EVERY_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  check(): void {
    try {
      this.#probe()
    } catch (error) {
      if (!/^E[MN]FILE$/.test(String((error as { code?: unknown }).code))) return
      this.#shortMs = this.#elapsedMs()
      if (this.#shortMs - this.#loggedMs < SHOWN_MS) return
      this.#loggedMs = this.#shortMs
      const message = 'no file descriptor is free: new connections wait. Raise the limit (LimitNOFILE=, ulimit -n)'
      this.#log.error({ error }, message)
    }
  }

  state(): DescriptorState {
    this.check()
    return { isShort: this.#elapsedMs() - this.#shortMs < SHOWN_MS, open: openDescriptors(), limit: descriptorLimit() }
  }
}

function openOne(): void {
  closeSync(openSync(devNull, 'r'))
}

/** Null where the system does not say. */
export function openDescriptors(): number | null {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return null
  }
}

/** Null without a limit, or where the system does not say. */
export function descriptorLimit(): number | null {
  try {
    const limit = /^Max open files +([0-9]+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return limit && Number(limit[1])
  } catch {
    return null
  }
}
