// Reads the memory of a process from /proc, in MB of 1e6 bytes; undefined if there is no /proc.

import { readFileSync, writeFileSync } from 'node:fs'

const field = (pid: number, name: 'VmHWM' | 'RssAnon' | 'RssShmem'): number | undefined => {
  try {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : (Number(kilobytes) * 1_024) / 1e6
  } catch {
    return undefined
  }
}

/** Returns the peak resident memory since the process began, or since `forgetPeak`, MB. */
export const peakMb = (pid: number): number | undefined => field(pid, 'VmHWM')

/** Returns the resident memory without mapped files, whose pages the system reclaims when it needs memory, MB. */
export const ownMb = (pid: number): number | undefined => field(pid, 'RssAnon')

const SAMPLE_MS = 20

/** Samples `ownMb` until the returned function is called, which returns the maximum; 0 if there is no /proc. */
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

/** Returns the shared memory that belongs to no file, such as the memory that a browser draws into, MB. */
export const sharedMb = (pid: number): number | undefined => field(pid, 'RssShmem')

export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // If this fails, only the peak since the start of the process is available.
  }
}
