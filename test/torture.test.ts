// Goal: what the torture does for minutes, a few rounds of each topic do at every run of the tests.

import { describe, expect, test } from 'bun:test'
import { runRounds } from './torture/run-rounds.ts'
import { TORTURE_TOPICS } from './torture/topics.ts'

const SMOKE = { seed: 1, untilMs: Number.POSITIVE_INFINITY, isSmoke: true }
const MS_MAX = 120_000

for (const [name, load] of Object.entries(TORTURE_TOPICS)) {
  const { topic } = await load()
  const keeps = async () => {
    const { counts } = await runRounds(topic, { ...SMOKE, rounds: topic.smokeRounds })
    expect(counts.get('rounds')).toBe(topic.smokeRounds)
    for (const what of topic.smokeTally) expect(counts.get(what) ?? 0, what).toBeGreaterThan(0)
  }
  describe(`torture: ${name}`, () => {
    if (topic.skipped !== undefined) test.skip(`skipped, ${topic.skipped}`, keeps)
    else test('keeps its promises, and puts each of them to the test', keeps, topic.smokeMsMax ?? MS_MAX)
  })
}
