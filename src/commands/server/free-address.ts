// Checks that a server can listen on an address, before any work is done.

import { CommandError, EXIT } from '../terminal/program.ts'

type Address = { host: string; port: number }

/** Throws CommandError if the address is taken or does not belong to this machine. */
export async function assertFree({ host, port }: Address): Promise<void> {
  try {
    await Bun.serve({ hostname: host, port, reusePort: false, fetch: () => new Response() }).stop(true)
  } catch (error) {
    throw cannotListen({ host, port }, error)
  }
}

export function cannotListen({ host, port }: Address, error: unknown): CommandError {
  const { code, message } = error as Error & { code?: string }
  const why = code === 'EADDRINUSE' ? 'another program uses it; name another with --port, 0 for any free one' : message
  return new CommandError(`cannot listen on ${host} port ${port}: ${why}`, EXIT.failed)
}
