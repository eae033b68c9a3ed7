// Goal: what the torture does for minutes, a few rounds of each topic do at every run of the tests.

import { describe, expect, test } from 'bun:test'
import { runRounds } from './torture/run-rounds.ts'
import { TORTURE_TOPICS } from './torture/topics.ts'

const SMOKE = { seed: 1, untilMs: Number.POSITIVE_INFINITY, isSmoke: true }

describe.each(Object.entries(TORTURE_TOPICS))('torture: %s', (name, load) => {
  test('keeps its promises, and puts each of them to the test', async () => {
    const { topic } = await load()
    if (topic.skipped !== undefined) return console.log(`${name} is skipped: ${topic.skipped}`)
    const { counts } = await runRounds(topic, { ...SMOKE, rounds: topic.smokeRounds })
    expect(counts.get('rounds')).toBe(topic.smokeRounds)
    for (const name of topic.smokeTally) expect(counts.get(name) ?? 0, name).toBeGreaterThan(0)
  }, 120_000)
})
