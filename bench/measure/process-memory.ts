// The resident memory of a process, as the system counts it, in MB of 1e6 bytes. Undefined where there is no /proc.

import { readFileSync, writeFileSync } from 'node:fs'

const field = (pid: number, name: 'VmHWM' | 'RssAnon' | 'RssShmem'): number | undefined => {
  try {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : (Number(kilobytes) * 1_024) / 1e6
  } catch {
    return undefined
  }
}

/** The most it has ever been, since the process began or since `forgetPeak`. */
export const peakMb = (pid: number): number | undefined => field(pid, 'VmHWM')

/** Pages of a mapped file count as resident too, but the system takes them back when it needs them: this is without. */
export const ownMb = (pid: number): number | undefined => field(pid, 'RssAnon')

const SAMPLE_MS = 20

/** Looks at `ownMb` all the time, until what it returns is called, which returns the most that it was; 0 where there is
 *  no /proc. */
export function watchOwnMb(pid: number): () => number {
  let mostMb = 0
  const timer = setInterval(() => {
    mostMb = Math.max(mostMb, ownMb(pid) ?? 0)
  }, SAMPLE_MS)
  return () => {
    clearInterval(timer)
    return mostMb
  }
}

/** What it shares with others and is no file, such as what a browser draws on. */
export const sharedMb = (pid: number): number | undefined => field(pid, 'RssShmem')

export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // Only the figure since the start is to be had, then.
  }
}
