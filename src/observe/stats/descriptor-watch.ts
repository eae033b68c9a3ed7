// Whether the process can still open files and sockets. Without a free descriptor the runtime accepts no connection: it
// tries again without a pause, and reports nothing.

import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Log } from '../log/log.ts'

/** After a shortage, the status shows it and the log does not repeat it for so long. */
const SHOWN_MS = 60_000

export type DescriptorState = { isShort: boolean; open: number | null; limit: number | null }

type Parts = { log: Pick<Log, 'error'>; probe?: () => void; elapsedMs?: () => number }

/** `check` is for a timer. */
export function watchDescriptors({ log, probe = openOne, elapsedMs = () => performance.now() }: Parts) {
  let shortMs = Number.NEGATIVE_INFINITY
  let loggedMs = Number.NEGATIVE_INFINITY

  function check(): void {
    try {
      probe()
    } catch (error) {
      if (!/^E[MN]FILE$/.test(String((error as { code?: unknown }).code))) return
      shortMs = elapsedMs()
      if (shortMs - loggedMs < SHOWN_MS) return
      loggedMs = shortMs
      log.error(
        { error },
        'no file descriptor is free: new connections wait. Raise the limit (LimitNOFILE=, ulimit -n)',
      )
    }
  }

  function state(): DescriptorState {
    check()
    return { isShort: elapsedMs() - shortMs < SHOWN_MS, open: openDescriptors(), limit: descriptorLimit() }
  }

  return { check, state }
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
