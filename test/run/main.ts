// Runs the tests in three processes, since many tests wait: `bun run test [--all | --long] [arguments of bun test]`.
//
//   bun run test          what a person waits for
//   bun run test --all    and what CI adds: browsers, other programs, examples of the guide, the same bytes of a
//                         folder and a cluster, all parts of suites about captures, commands as processes, days that
//                         are exported, imported and recorded again, smokes of the torture, an eighth of the
//                         bench's topics
//   bun run test:long     everything, with more tries and new seeds, then the torture, for an hour
//
// At the end, prints the slowest files, the files beyond their budget, the failures, and what this machine lacked for
// skipped tests.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readJunit } from './junit.ts'
import { missingIn, reportOf } from './report.ts'

/** Tests that only CI and a long run include. */
const BEYOND_USUAL = [
  'test/bench.test.ts',
  'test/client/{backtesters,cookbook,documented,eden,guide-examples,readme}.test.ts',
  'test/client/packages/**',
  'test/explorer/browser/**',
  'explorer/take/code.test.ts',
  'test/interop/**',
  'test/src/answers/same-bytes.test.ts',
  'test/src/build/single-binary.test.ts',
  'test/src/commands/as-processes.test.ts',
  'src/export/nautilus.test.ts',
  'test/src/export/{read-by-*,hftbacktest-days}.test.ts',
  'test/src/record/kalshi/replay.test.ts',
  'test/torture/smoke/**',
  'test/workers/import/tardis-round-trip.test.ts',
]
/** Tests that only a long run includes. */
const BEYOND_ALL = ['cluster', 'hostile', 'soak'].map((name) => `test/torture/smoke/${name}.test.ts`)
/** Topics whose rounds all differ. A long run of the tests already includes every round of the other topics. */
const LONG_TOPICS = ['properties', 'simulation', 'captures', 'damage', 'crashes', 'record', 'http-fuzz', 'objects']
const LONG_MS = 60 * 60_000

const args = process.argv.slice(2)
const isLong = args.includes('--long')
const isAll = isLong || args.includes('--all')
const passedOn = args.filter((arg) => arg !== '--long' && arg !== '--all')

const folder = mkdtempSync(join(tmpdir(), 'backbook-run-'))
const report = join(folder, 'junit.xml')
const startMs = performance.now()
const seed = process.env['TEST_SEED'] ?? String(isLong ? Math.trunc(Date.now() / 1_000) : commitSeed())
console.log(`seeds begin at ${seed}; TEST_SEED=${seed} repeats them`)

const command = ['bun', 'test', '--parallel=3', '--no-isolate', '--only-failures', '--timeout', '180000']
command.push('--reporter=junit', `--reporter-outfile=${report}`)
const leftOut = [...(isAll ? [] : BEYOND_USUAL), ...(isLong ? [] : BEYOND_ALL)]
command.push(...leftOut.map((pattern) => `--path-ignore-patterns=${pattern}`))
const tests = Bun.spawn([...command, ...passedOn], {
  env: { ...process.env, TEST_SEED: seed, ...(isAll && { TEST_ALL: 'true' }), ...(isLong && { TEST_LONG: 'true' }) },
  stdin: 'ignore',
  stdout: 'pipe',
  stderr: 'pipe',
})
const printed = await Promise.all([forwarded(tests.stdout, process.stdout), forwarded(tests.stderr, process.stderr)])
process.exitCode = await tests.exited

const isRun = await Bun.file(report).exists()
const lines = isRun ? reportOf(readJunit(readFileSync(report, 'utf8')), isLong) : []
rmSync(folder, { recursive: true, force: true })
if (isLong) await torture()
console.log([...lines, missingIn(printed.join('\n'))].join('\n'))

/** Returns a seed from the first digits of the commit's hash. All runs of a commit try the same seeds, and another
 *  commit tries others. */
function commitSeed(): number {
  const { stdout } = Bun.spawnSync(['git', 'rev-parse', '--short=7', 'HEAD'], { stderr: 'ignore' })
  return Number.parseInt(stdout.toString().slice(0, 7), 16) || 1
}

/** Passes on what a process prints, and returns it. */
async function forwarded(from: ReadableStream<Uint8Array>, to: NodeJS.WriteStream): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of from) {
    to.write(chunk)
    text += decoder.decode(chunk, { stream: true })
  }
  return text
}

/** Runs the torture's topics in turn with new seeds until the time is over. */
async function torture(): Promise<void> {
  const minutes = (LONG_MS - (performance.now() - startMs)) / 60_000 / LONG_TOPICS.length
  if (minutes <= 0) return
  const topics = ['bun', 'run', 'torture', ...LONG_TOPICS, '--minutes', minutes.toFixed(2)]
  const run = Bun.spawn(topics, { stdin: 'inherit', stdout: 'inherit', stderr: 'inherit' })
  process.exitCode ||= await run.exited
}
