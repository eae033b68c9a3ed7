// Runs the named topics, or all of them if none is named, for five minutes each by default. main.ts starts this
// process, and it ends when main.ts ends.

import { parseArgs } from 'node:util'
import { endGroup, isInRunFolder } from './run-folder.ts'
import { runRounds, TortureFailure } from './run-rounds.ts'
import { TORTURE_TOPICS } from './topics.ts'

const MINUTES = 5

if (!isInRunFolder()) {
  console.error('run-topics.ts is started by main.ts, in a folder of its own: bun run torture')
  process.exit(2)
}
// The other end of stdin closes when main.ts ends, however it ends.
process.stdin.on('end', endGroup).resume()

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: String(MINUTES) },
    rounds: { type: 'string', default: 'Infinity' },
    seeds: { type: 'string' },
    seed: { type: 'string' },
    smoke: { type: 'boolean', default: false },
  },
})
const unknown = positionals.filter((name) => !Object.hasOwn(TORTURE_TOPICS, name))
const minutes = Number(values.minutes)
/** With `seeds`, runs this many rounds, however long they take. */
const rounds = Number(values.seeds ?? values.rounds)
const seed = values.seed === undefined ? Math.trunc(Date.now() / 1000) : Number(values.seed)
if (unknown.length > 0 || !(minutes > 0) || !(rounds > 0) || !Number.isSafeInteger(seed)) {
  console.error(`accepted are the topics ${Object.keys(TORTURE_TOPICS).join(', ')}, and numbers above 0`)
  process.exit(2)
}

for (const name of positionals.length === 0 ? Object.keys(TORTURE_TOPICS) : positionals) {
  const { topic } = await TORTURE_TOPICS[name]!()
  console.log(`${name}: ${topic.title}`)
  if (topic.skipped !== undefined) {
    console.log(`  skipped: ${topic.skipped}`)
    continue
  }
  const isTimed = !values.smoke && values.seeds === undefined
  const untilMs = isTimed ? Date.now() + minutes * 60_000 : Number.POSITIVE_INFINITY
  const planned = values.smoke ? topic.smokeRounds : rounds
  const onProgress = (done: number) => {
    const all = Number.isFinite(planned) ? ` of ${planned.toLocaleString('en')}` : ''
    console.log(`  ${done.toLocaleString('en')}${all} rounds, seeds ${seed} to ${seed + done - 1}`)
  }
  const limits = { seed, rounds: planned, untilMs, isSmoke: values.smoke, onProgress }
  try {
    const { counts } = await runRounds(topic, limits)
    for (const [what, count] of counts) console.log(`  ${count.toLocaleString('en').padStart(12)}  ${what}`)
  } catch (error) {
    if (!(error instanceof TortureFailure)) throw error
    console.error(`${error.message}\nAgain: bun run torture ${name} --seed ${error.seed} --rounds 1`)
    process.exitCode = 1
  }
}
process.exit()
