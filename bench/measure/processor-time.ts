// Reads the processor time of a process, user and system, of all its threads; undefined if there is no /proc.

import { readFileSync } from 'node:fs'

/** Length of a tick, ms: a hundredth of a second on every Linux. */
const TICK_MS = 10
const [USER, SYSTEM] = [11, 12]

export function cpuMs(pid: number): number | undefined {
  try {
    // The name of the program may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS
  } catch {
    return undefined
  }
}
