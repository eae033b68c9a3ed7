// The most memory that a server comes to while something happens.

import type { Findings } from '../topic.ts'
import { forgetPeak, ownMb, peakMb } from './process-memory.ts'

const SAMPLE_MS = 20

/** Notes the peak as a figure. Its target is 400 MB with many clients, half of them slow. */
export async function watchMemory<T>(findings: Findings, pid: number, run: () => Promise<T>): Promise<T> {
  forgetPeak(pid)
  let ownPeakMb = 0
  const timer = setInterval(() => {
    ownPeakMb = Math.max(ownPeakMb, ownMb(pid) ?? 0)
  }, SAMPLE_MS)
  try {
    return await run()
  } finally {
    clearInterval(timer)
    const peak = peakMb(pid)
    if (peak !== undefined) findings.figure('resident memory of the server, peak', peak, 'MB', { atMost: 400 })
    if (ownPeakMb > 0) findings.figure('of it not mapped from the store, peak', ownPeakMb, 'MB')
  }
}
