// Runs the recorder beside a server in its own process, because a process either reads a store or writes it. Restarts
// the process when it ends.

import type { StorePlace } from '../../../storage/open-store.ts'
import type { Timers } from '../../../storage/retry/timers.ts'
import { backoff } from '../../../storage/retry/with-retry.ts'
import { childEnvironment } from '../../config/child-environment.ts'
import type { Random } from '../time/clock.ts'

/** A child process. */
export type Child = {
  /** Resolves to the exit code, or to -1 if a signal ended the process. */
  exited: Promise<number>
  kill(signal: 'SIGTERM' | 'SIGKILL'): void
}

type RecorderChildOptions = {
  start: () => Child
  timers: Timers
  random: Random
  /** Time of a monotonic clock, ms. */
  nowMs: () => number
  log: { info(fields: object, message: string): void; error(fields: object, message: string): void }
}

export type RecorderChild = {
  /** Signals the process to stop, and waits until it has. */
  stop(): Promise<void>
}

/** A process that ran for this long resets the count of failures. */
const HEALTHY_MS = 60_000
/** Exit code for an invalid configuration. A restart with the same file would fail again. */
const WRONG_CONFIG = 2
/** Longest wait for the process to stop: storing the received messages may take a while. */
export const RECORDER_STOP_MS = 60_000

export function superviseRecorder({ start, timers, random, nowMs, log }: RecorderChildOptions): RecorderChild {
  const pauseMs = backoff({ firstMs: 1_000, maxMs: 60_000, random })
  let failures = 0
  let child: Child | undefined
  let isStopping = false
  let cancelRestart: (() => void) | undefined
  const run = () => {
    const startedMs = nowMs()
    child = start()
    void child.exited.then((code) => {
      child = undefined
      if (isStopping) return
      if (code === WRONG_CONFIG)
        return log.error({ code }, 'the recorder is not restarted: its configuration is invalid or was refused')
      if (nowMs() - startedMs >= HEALTHY_MS) failures = 0
      const waitMs = pauseMs(++failures)
      log.error({ code, restart_ms: Math.round(waitMs) }, 'the recorder has ended and will be restarted')
      cancelRestart = timers.after(waitMs, run)
    })
  }
  run()
  return {
    async stop() {
      isStopping = true
      cancelRestart?.()
      if (child === undefined) return
      const { exited, kill } = child
      const cancel = timers.after(RECORDER_STOP_MS, () => kill('SIGKILL'))
      kill('SIGTERM')
      const code = await exited
      cancel()
      if (code !== 0) log.error({ code }, 'the recorder did not end in an orderly way: its next start stores the rest')
    },
  }
}

/** Starts the recorder as a child process. Its standard input closes when this process ends, for whatever reason; then
 *  the child ends too. It logs to this process's standard error. */
export function spawnRecorder(command: readonly string[], cluster: StorePlace['cluster']): Child {
  const env = childEnvironment(process.env, cluster)
  const child = Bun.spawn([...command], { env, stdin: 'pipe', stdout: 'ignore', stderr: 'inherit' })
  return {
    exited: child.exited.then((code) => (child.signalCode === null ? code : -1)),
    kill: (signal) => child.kill(signal),
  }
}
