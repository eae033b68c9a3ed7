// Runs one topic in this process: `bun bench/run-topic.ts TOPIC prepare|measure|both smoke|full [--peers]
// [--minutes=N]`. Prints the outcome as one line of JSON.

import assert from 'node:assert/strict'
import { Findings } from './topic.ts'
import { isTopicName, topicEntry } from './topics.ts'

const [name = '', step, size, ...flags] = process.argv.slice(2)
assert(isTopicName(name), `no topic: ${name}`)
assert(size === 'smoke' || size === 'full', `no size: ${size}`)
const { topic } = await topicEntry(name).load()
const findings = new Findings()
const minutes = flags.find((flag) => flag.startsWith('--minutes='))?.slice('--minutes='.length)
const context = {
  size,
  withPeers: flags.includes('--peers'),
  ...(minutes === undefined ? {} : { minutes: Number(minutes) }),
} as const
if (step !== 'measure') await topic.prepare(context)
if (step !== 'prepare') await topic.run(context, findings)
process.stdout.write(`${JSON.stringify(findings.outcome)}\n`)
// Native code of a peer may keep threads alive.
process.exit(0)
