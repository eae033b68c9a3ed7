// Waits for the signal that tells a process to stop.

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** A second signal ends the process at once; where `isPatient`, it changes nothing. */
export function stopSignal({ isPatient = false } = {}): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      if (!isPatient) for (const signal of STOP_SIGNALS) process.off(signal, stop)
      resolve()
    }
    for (const signal of STOP_SIGNALS) process.on(signal, stop)
  })
}
