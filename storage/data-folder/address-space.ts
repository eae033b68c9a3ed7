// What `ulimit -v` leaves this process: whoever maps more is ended by the kernel's refusal.

import { existsSync, readFileSync } from 'node:fs'

const LIMITS = '/proc/self/limits'

/** Bytes that may still be mapped; Infinity where nothing limits them, or nobody tells. */
export function addressSpaceLeft(): number {
  if (!existsSync(LIMITS)) return Number.POSITIVE_INFINITY
  const limit = /^Max address space +([0-9]+)/m.exec(readFileSync(LIMITS, 'utf8'))?.[1]
  if (limit === undefined) return Number.POSITIVE_INFINITY
  const used = /^VmSize:\s+([0-9]+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  return Number(limit) - Number(used ?? 0) * 1024
}
