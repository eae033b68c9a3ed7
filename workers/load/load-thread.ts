// A thread that reads captures, one after the other, and sends their parts to the thread that commits them.

import { parentPort } from 'node:worker_threads'
import { DataError, type DataErrorCode } from '../../storage/failures.ts'
import type { MarketName } from '../dates/commit-partitions.ts'
import type { CaptureEnd, CapturePart, ReadOptions } from './capture-reading.ts'
import { readCapture } from './read-capture.ts'

export type ToLoadThread =
  | { type: 'read'; options: Omit<ReadOptions, 'onProgress' | 'areNew'> }
  | { type: 'new'; areNew: boolean[] }
  | { type: 'committed' }

export type FromLoadThread =
  | { type: 'progress'; fileBytes: number; records: number }
  /** Asks which of these markets are new. */
  | { type: 'markets'; markets: MarketName[] }
  | { type: 'part'; part: CapturePart }
  | { type: 'end'; end: CaptureEnd }
  | { type: 'failed'; message: string; code: DataErrorCode | null }

const port = parentPort!
const post = (message: FromLoadThread) => port.postMessage(message)

let answer = Promise.withResolvers<boolean[]>()
let committed = Promise.withResolvers<void>()

async function read(options: Omit<ReadOptions, 'onProgress' | 'areNew'>): Promise<void> {
  let isFirst = true
  const offer = async (part: CapturePart) => {
    // One part may wait for its commit while the next one is read.
    if (!isFirst) await committed.promise
    isFirst = false
    committed = Promise.withResolvers<void>()
    post({ type: 'part', part })
  }
  const areNew = (markets: MarketName[]) => {
    answer = Promise.withResolvers<boolean[]>()
    post({ type: 'markets', markets })
    return answer.promise
  }
  const onProgress: ReadOptions['onProgress'] = (progress) => post({ type: 'progress', ...progress })
  const end = await readCapture({ ...options, onProgress, areNew }, offer)
  post({ type: 'end', end })
}

/** Returns the failure as plain data, because an error's class does not survive the transfer. */
function failed(error: unknown): FromLoadThread {
  if (error instanceof DataError) return { type: 'failed', message: error.message, code: error.code }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { type: 'failed', message, code: null }
}

port.on('message', (message: ToLoadThread) => {
  if (message.type === 'read') read(message.options).catch((error) => post(failed(error)))
  else if (message.type === 'new') answer.resolve(message.areNew)
  else committed.resolve()
})
