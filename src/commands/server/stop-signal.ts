// Waits for the signal that stops a process.

/** Flag of a server's recorder, which stops when its stdin closes. The system closes this stdin when the server ends,
 *  even after a crash. */
export const UNTIL_STDIN_ENDS = '--until-stdin-ends'

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const

let signalled: Promise<void> | undefined

/** Resolves at the first signal. A second signal ends the process at once; with `isPatient` it is ignored. Only the
 *  `isPatient` of the first call counts; later calls return the same promise. */
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

/** Starts to wait for the stop signal if the command runs long. Call this first, because such a command may get a
 *  signal while it is still loading or starting. */
export function expectStop(words: readonly string[]): void {
  const [command] = words
  if (command !== 'serve' && (command !== 'record' || words.includes('--check'))) return
  // The recorder of a server must ignore a second signal: terminals and systemd send the signal to the server and to
  // its recorder, and then the server sends it to the recorder again.
  void stopSignal({ isPatient: words.includes(UNTIL_STDIN_ENDS) })
}
