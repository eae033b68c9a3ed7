// Checks whether the process can still open files and sockets. Without a free descriptor the runtime accepts no
// connection: it retries without a pause and reports nothing.

import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Log } from '../log/log.ts'

/** For this long after a shortage, the status shows it and the log does not repeat it, ms. */
const SHOWN_MS = 60_000

export type DescriptorState = { isShort: boolean; open: number | null; limit: number | null }

type Parts = { log: Pick<Log, 'error'>; probe?: () => void; elapsedMs?: () => number }

/** Returns `check`, for a timer, and `state`, for the status. */
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

/** Returns the number of open descriptors; null if the system does not report it. */
export function openDescriptors(): number | null {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return null
  }
}

/** Returns the limit of open descriptors; null if there is none or the system does not report it. */
export function descriptorLimit(): number | null {
  try {
    const limit = /^Max open files +([0-9]+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return limit && Number(limit[1])
  } catch {
    return null
  }
}
