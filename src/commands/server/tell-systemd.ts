// Tells systemd what a service of Type=notify does: that it answers, that it stops. It listens on a datagram socket,
// which the runtime cannot write to, so its own program does that.

import type { Log } from '../../observe/log/log.ts'

/** Does nothing where no systemd asked for it; waits for nothing. */
export function tellSystemd(state: 'READY=1' | 'STOPPING=1', log: Pick<Log, 'warn'>): void {
  if (!process.env['NOTIFY_SOCKET']) return
  try {
    // The settings are none of its business, secrets are among them.
    const env = { PATH: process.env['PATH'], NOTIFY_SOCKET: process.env['NOTIFY_SOCKET'] }
    Bun.spawn(['systemd-notify', state], { env, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' }).unref()
  } catch (error) {
    log.warn({ error }, `systemd was not told ${state}: systemd-notify cannot be run`)
  }
}
