// Starts a recording of two Kalshi markets for each test of a file, and ends it with the test.

import { afterEach } from 'bun:test'
import { KalshiRecording, type RecordingOptions } from './kalshi-recording.ts'

export function kalshiRecordings() {
  let recording: KalshiRecording | undefined
  afterEach(async () => {
    await recording?.stop()
    recording = undefined
  })
  const begin = async (options: Partial<RecordingOptions> = {}) => {
    recording = await KalshiRecording.start({ tickers: ['A', 'B'], ...options })
    return { recording, server: recording.server, stats: recording.stats }
  }
  return {
    begin,
    /** Starts a recording, and waits until its books have arrived. */
    async open(options: Partial<RecordingOptions> = {}) {
      const begun = await begin(options)
      await begun.recording.settled()
      await begun.recording.drained()
      return begun
    },
    /** Returns the recording of the running test. */
    current: () => recording!,
  }
}
