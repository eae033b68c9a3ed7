// Tells systemd that a service of Type=notify is ready or stopping. systemd listens on a datagram socket, which the
// runtime cannot write to, so systemd-notify does it.

import type { Log } from '../../observe/log/log.ts'

/** Does nothing unless systemd asked for it. Does not wait. */
export function tellSystemd(state: 'READY=1' | 'STOPPING=1', log: Pick<Log, 'warn'>): void {
  if (!process.env['NOTIFY_SOCKET']) return
  try {
    // The environment may hold secrets: only this much is passed on.
    const env = { PATH: process.env['PATH'], NOTIFY_SOCKET: process.env['NOTIFY_SOCKET'] }
    Bun.spawn(['systemd-notify', state], { env, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' }).unref()
  } catch (error) {
    log.warn({ error }, `cannot tell systemd ${state}: cannot run systemd-notify`)
  }
}
