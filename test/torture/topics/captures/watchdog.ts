// Ends the process if a round does not end. An endless loop blocks every timer of this thread, so another thread waits.

import { Worker } from 'node:worker_threads'

const WATCHER = `
const { parentPort, workerData } = require('node:worker_threads')
const { writeSync } = require('node:fs')
let timer
parentPort.on('message', (isBegun) => {
  clearTimeout(timer)
  if (!isBegun) return
  timer = setTimeout(() => {
    writeSync(2, 'a round has not ended after ' + workerData.seconds + ' s\\n')
    process.kill(process.pid, 'SIGKILL')
  }, workerData.seconds * 1000)
})`

export class Watchdog {
  readonly #worker: Worker

  constructor(seconds: number) {
    this.#worker = new Worker(WATCHER, { eval: true, workerData: { seconds } })
    this.#worker.unref()
  }

  async watch(round: () => Promise<void>): Promise<void> {
    this.#worker.postMessage(true)
    try {
      await round()
    } finally {
      this.#worker.postMessage(false)
    }
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}
