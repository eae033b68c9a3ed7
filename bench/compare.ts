// `bun bench/compare.ts REV_A REV_B [topics] [--rounds N] [--smoke]`: measures two revisions in turn, each in a clone
// of its own, in reversed order each round, and prints ratios of medians. Measures both with the bench of this
// checkout, so that revisions older than a topic can be compared too; --own-bench uses the bench of each revision.

import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ratioLines } from './report.ts'
import { type MeasuredTopic, measureTopic, mergeRounds, prepareTopic, type RunOptions } from './run-rounds.ts'
import type { Outcome } from './topic.ts'
import { isTopicName, TOPIC_NAMES, type TopicName } from './topics.ts'

type Revision = { name: string; options: RunOptions; outcomes: Outcome[] }

const PROJECT = fileURLToPath(new URL('..', import.meta.url))
const ROUNDS = 5

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: String(ROUNDS) },
    smoke: { type: 'boolean', default: false },
    'own-bench': { type: 'boolean', default: false },
  },
})
const [a, b, ...named] = positionals
const topics = named.length === 0 ? TOPIC_NAMES : named.filter(isTopicName)
if (a === undefined || b === undefined || (named.length > 0 && topics.length < named.length)) {
  console.error(`usage: bun bench/compare.ts REV_A REV_B [topics]. Topics are: ${TOPIC_NAMES.join(', ')}`)
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'backbook-compare-'))
try {
  const revisions = [await checkOut(a, 'a'), await checkOut(b, 'b')] as const
  for (const topic of topics) await compareTopic(topic, revisions)
} finally {
  rmSync(folder, { recursive: true })
}

async function compareTopic(topic: TopicName, revisions: readonly [Revision, Revision]): Promise<void> {
  for (const revision of revisions) {
    revision.outcomes = []
    await prepareTopic(topic, revision.options)
  }
  for (let round = 0; round < Number(values.rounds); round++) {
    const order = round % 2 === 0 ? revisions : [...revisions].reverse()
    for (const { options, outcomes } of order) outcomes.push(await measureTopic(topic, options))
  }
  const [first, second] = revisions.map(({ outcomes }) => mergeRounds(topic, outcomes)) as [
    MeasuredTopic,
    MeasuredTopic,
  ]
  console.log(['', `${topic}: ${a} → ${b}`, ...ratioLines(first, second)].join('\n'))
}

/** Clones the project at a revision, installs its packages, and links the captures next to the clone. */
async function checkOut(revision: string, name: string): Promise<Revision> {
  const clone = join(folder, name, 'project')
  run(['git', 'clone', '--quiet', '--no-checkout', PROJECT, clone], PROJECT)
  run(['git', 'checkout', '--quiet', commitOf(revision)], clone)
  const shared = join(PROJECT, '..', 'shared')
  if (existsSync(shared)) symlinkSync(shared, join(folder, name, 'shared'))
  run([process.execPath, 'install', '--frozen-lockfile', '--silent'], clone)
  if (!values['own-bench']) {
    rmSync(join(clone, 'bench'), { recursive: true, force: true })
    cpSync(join(PROJECT, 'bench'), join(clone, 'bench'), {
      recursive: true,
      filter: (path) => !/\/(?:node_modules|results)$/.test(path),
    })
  }
  const options = { size: values.smoke ? 'smoke' : 'full', rounds: 1, withPeers: false, folder: clone } as const
  return { name: revision, options, outcomes: [] }
}

/** Returns the commit of a revision. Resolves the name before cloning, because a clone does not know the branches of
 *  its origin. */
function commitOf(revision: string): string {
  return run(['git', 'rev-parse', '--verify', `${revision}^{commit}`], PROJECT)
}

function run(command: string[], cwd: string): string {
  const { success, stdout, stderr } = Bun.spawnSync(command, { cwd })
  if (!success) throw new Error(`${command.join(' ')}: ${stderr.toString()}`)
  return stdout.toString().trim()
}
