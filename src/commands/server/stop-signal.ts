// Waits for the signal that tells a process to stop.

/** Given by a server that runs the recorder: where that ends, however it does, its pipe ends too. */
export const UNTIL_STDIN_ENDS = '--until-stdin-ends'

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const

let signalled: Promise<void> | undefined

/** Resolves at the first signal. A second one ends the process at once; where `isPatient`, it changes nothing. The first
 *  call decides that, and others get its promise. */
export function stopSignal({ isPatient = false } = {}): Promise<void> {
  signalled ??= new Promise((resolve) => {
    const stop = () => {
      if (!isPatient) for (const signal of STOP_SIGNALS) process.off(signal, stop)
      resolve()
    }
    for (const signal of STOP_SIGNALS) process.on(signal, stop)
  })
  return signalled
}

/** To be called first of all: a command that runs until a signal may get it while it is loaded and started. */
export function expectStop(words: readonly string[]): void {
  const [command] = words
  if (command !== 'serve' && (command !== 'record' || words.includes('--check'))) return
  // Terminals and systemd signal the server and its recorder, and then the server does.
  void stopSignal({ isPatient: words.includes(UNTIL_STDIN_ENDS) })
}
