// The address space that `ulimit -v` leaves this process. The kernel refuses to map more, which ends the process.

import { existsSync, readFileSync } from 'node:fs'

const LIMITS = '/proc/self/limits'

/** Returns the bytes that may still be mapped; Infinity if there is no limit, or if it is unknown. */
export function addressSpaceLeft(): number {
  if (!existsSync(LIMITS)) return Number.POSITIVE_INFINITY
  const limit = /^Max address space +([0-9]+)/m.exec(readFileSync(LIMITS, 'utf8'))?.[1]
  if (limit === undefined) return Number.POSITIVE_INFINITY
  const used = /^VmSize:\s+([0-9]+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  return Number(limit) - Number(used ?? 0) * 1024
}
