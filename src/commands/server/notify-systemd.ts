// Reports to systemd that a service of Type=notify is ready or stopping. systemd listens on a datagram socket, which
// the runtime cannot write to, so this runs systemd-notify.

import type { Log } from '../../observe/log/log.ts'

/** Reports a state to systemd if systemd requested that; otherwise does nothing. Does not wait. */
export function notifySystemd(state: 'READY=1' | 'STOPPING=1', log: Pick<Log, 'warn'>): void {
  if (!process.env['NOTIFY_SOCKET']) return
  try {
    // The environment may hold secrets, so only these variables are passed on.
    const env = { PATH: process.env['PATH'], NOTIFY_SOCKET: process.env['NOTIFY_SOCKET'] }
    Bun.spawn(['systemd-notify', state], { env, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' }).unref()
  } catch (error) {
    log.warn({ error }, `cannot report ${state} to systemd: cannot run systemd-notify`)
  }
}
