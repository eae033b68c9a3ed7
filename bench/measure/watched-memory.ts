// Measures the peak memory of a server while something runs.

import type { Findings } from '../topic.ts'
import { forgetPeak, peakMb, watchOwnMb } from './process-memory.ts'

/** Records the peak as a figure. The target is 400 MB with many clients, half of them slow. */
export async function watchMemory<T>(findings: Findings, pid: number, run: () => Promise<T>): Promise<T> {
  forgetPeak(pid)
  const endWatch = watchOwnMb(pid)
  try {
    return await run()
  } finally {
    const ownPeakMb = endWatch()
    const peak = peakMb(pid)
    if (peak !== undefined) findings.figure('resident memory of the server, peak', peak, 'MB', { atMost: 400 })
    if (ownPeakMb > 0) findings.figure('of it not mapped from the store, peak', ownPeakMb, 'MB')
  }
}
