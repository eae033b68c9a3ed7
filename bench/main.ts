// `bun run bench [topics] [--smoke] [--rounds N] [--minutes N] [--no-peers] [--json]`: measures the named topics, or
// all topics, and prints one table.

import { parseArgs } from 'node:util'
import { linesOf } from './report.ts'
import { machine, writeResult } from './results.ts'
import { type MeasuredTopic, runRounds } from './run-rounds.ts'
import { isTopicName, TOPIC_NAMES } from './topics.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    smoke: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    minutes: { type: 'string' },
    'no-peers': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const unknown = positionals.filter((name) => !isTopicName(name))
if (unknown.length > 0) {
  console.error(`no topic: ${unknown.join(', ')}. Topics are: ${TOPIC_NAMES.join(', ')}`)
  process.exit(2)
}
const names = positionals.length === 0 ? TOPIC_NAMES : positionals.filter(isTopicName)
const size = values.smoke ? 'smoke' : 'full'
const rounds = Number(values.rounds ?? (size === 'smoke' ? 1 : 3))
const minutes = values.minutes === undefined ? {} : { minutes: Number(values.minutes) }
const { cores, cpu, bun } = machine()
const print = values.json ? console.error : console.log

print(`${cores} × ${cpu}, Bun ${bun}; ${rounds} rounds, each in a fresh process; medians, then least … greatest`)
const measured: MeasuredTopic[] = []
for (const name of names) {
  const result = await runRounds(name, { size, rounds, withPeers: !values['no-peers'], ...minutes })
  if (size === 'full') await writeResult(result, { size })
  print(['', ...linesOf(result)].join('\n'))
  measured.push(result)
}
if (values.json) console.log(JSON.stringify(measured))
else if (size === 'smoke') console.log('\nsmoke size: the figures mean nothing')
