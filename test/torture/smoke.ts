// Runs a few rounds of topics; a usual run tries half of the topics. `bun run torture` runs them for hours.

import { describe, expect, test } from 'bun:test'
import { partOf } from '../run/effort.ts'
import { runRounds } from './run-rounds.ts'
import { TORTURE_TOPICS } from './topics.ts'

const SMOKE = { seed: 1, untilMs: Number.POSITIVE_INFINITY, isSmoke: true }
const MS_MAX = 300_000

/** Defines a test for each of these topics. If there are several, a usual run gets half of them. */
export async function smokeOf(names: readonly string[]): Promise<void> {
  for (const name of names.length > 1 ? partOf(names, 2) : names) {
    const { topic } = await TORTURE_TOPICS[name]!()
    const runSmoke = async () => {
      const { counts } = await runRounds(topic, { ...SMOKE, rounds: topic.smokeRounds })
      expect(counts.get('rounds')).toBe(topic.smokeRounds)
      for (const what of topic.smokeTally) expect(counts.get(what) ?? 0, what).toBeGreaterThan(0)
    }
    const title = 'keeps its promises, and puts each of them to the test'
    const ms = topic.smokeMsMax ?? MS_MAX
    describe(`torture: ${name}`, () => test.skipIf(topic.skipped !== undefined)(title, runSmoke, ms))
  }
}
