// A thread that makes the day to warm up on, and ends: other threads answer meanwhile, and what making it takes is gone
// with the thread.

import { serialize } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { makeWarmUpDay } from './warm-up-day.ts'

const day = serialize(await makeWarmUpDay())
const shared = new SharedArrayBuffer(day.length)
new Uint8Array(shared).set(day)
parentPort!.postMessage(shared)
