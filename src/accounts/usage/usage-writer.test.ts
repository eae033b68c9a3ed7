// Tests the writer of usage: it writes batches by hour, retries after failures of the database, and counts each call
// once.

import { expect, test } from 'bun:test'
import { onEachDatabase, openEmpty } from '../../../test/support/accounts.ts'
import { answeredCall } from '../../../test/support/calls.ts'
import type { AccountsDatabase } from '../sql/accounts-database.ts'
import { readHourCounts, readPopularMarkets, readRequestCount } from './request-statistics.ts'
import type { UsageBatch } from './usage-batch.ts'
import { UsageWriter } from './usage-writer.ts'

const NOW = Date.parse('2026-11-21T13:59:59.990Z')

function writerOver(database: AccountsDatabase) {
  const written: UsageBatch[] = []
  const events = { written: (batch: UsageBatch) => void written.push(batch), failed: () => undefined }
  let elapsedMs = 0
  let tick = () => {}
  const repeat = (run: () => void) => {
    tick = run
    return () => undefined
  }
  const clocks = { nowMs: () => NOW, elapsedMs: () => elapsedMs }
  const writer = new UsageWriter(database, { events, storedMarket: () => null, clocks, repeat })
  const pass = (ms: number) => {
    elapsedMs += ms
  }
  return { writer, written, pass, tick: () => tick() }
}

/** Wraps a database so that a transaction fails once for each of `failures`, before or after its commit. */
function failing(database: AccountsDatabase, failures: ('before' | 'after')[]): AccountsDatabase {
  return {
    ...database,
    async write(run, survives) {
      const failure = failures.shift()
      if (failure === 'before') throw new Error('no connection')
      const result = await database.write(run, survives)
      if (failure === 'after') throw new Error('connection lost')
      return result
    },
  }
}

onEachDatabase((make) => {
  test('requests before and after the end of an hour are written as two batches', async () => {
    await using opened = await openEmpty(make)
    const { writer, written } = writerOver(opened.database)
    writer.add(answeredCall({ nowMs: NOW }))
    writer.add(answeredCall({ nowMs: NOW, durationMs: 20 }))
    await writer.close()
    expect(written.map(({ hour, requests }) => [hour, requests])).toEqual([
      ['2026-11-21T13:00:00Z', 1],
      ['2026-11-21T14:00:00Z', 1],
    ])
    const range = { userId: 'ann', fromMs: NOW, toMs: NOW + 20 }
    expect((await readHourCounts(opened.database.read, range)).map(({ count }) => count)).toEqual([1, 1])
  })

  test('calls that cannot be written are written later, and once', async () => {
    await using opened = await openEmpty(make)
    const { writer } = writerOver(failing(opened.database, ['before', 'after', 'before']))
    const outcomes: string[] = []
    for (let each = 0; each < 4; each++) {
      writer.add(answeredCall())
      outcomes.push(await writer.flush().then(() => 'written', String))
    }
    const lost = 'Error: connection lost'
    expect(outcomes).toEqual(['Error: no connection', lost, 'Error: no connection', 'written'])
    expect(await readRequestCount(opened.database.read, 'ann')).toBe(4)
    await writer.close()
    expect(await readRequestCount(opened.database.read, 'ann')).toBe(4)
  })

  test('callers that wait for a failing write fail with it, and later writes are tried again', async () => {
    await using opened = await openEmpty(make)
    const hangs = Promise.withResolvers<never>()
    let writes = 0
    const database: AccountsDatabase = {
      ...opened.database,
      write: (run, survives) => (++writes === 1 ? hangs.promise : opened.database.write(run, survives)),
    }
    const { writer } = writerOver(database)
    writer.add(answeredCall())
    const waiting = [writer.flush(), writer.flush(), writer.flush()].map((each) => each.then(() => 'written', String))
    hangs.reject('locked')
    expect(await Promise.all(waiting)).toEqual(['locked', 'locked', 'locked'])
    expect(writes).toBe(1)
    await writer.flush()
    expect(await readRequestCount(opened.database.read, 'ann')).toBe(1)
    await writer.close()
  })

  test('it reports how much is not written yet, and since when', async () => {
    await using opened = await openEmpty(make)
    const { writer, pass } = writerOver(failing(opened.database, ['before']))
    expect(writer.unwritten()).toEqual({ requests: 0, seconds: 0 })
    writer.add(answeredCall({ nowMs: NOW }))
    writer.add(answeredCall({ nowMs: NOW, durationMs: 20 }))
    pass(20)
    expect(writer.unwritten()).toEqual({ requests: 2, seconds: 0.02 })
    await writer.flush().catch(() => undefined)
    // A failed write does not reset the age of unwritten calls.
    pass(10)
    expect(writer.unwritten()).toEqual({ requests: 2, seconds: 0.03 })
    await writer.flush()
    expect(writer.unwritten()).toEqual({ requests: 0, seconds: 0 })
    await writer.close()
  })

  test('it writes by itself', async () => {
    await using opened = await openEmpty(make)
    const { writer, written, tick } = writerOver(opened.database)
    writer.add(answeredCall())
    tick()
    await writer.flush()
    expect(written).toHaveLength(1)
    await writer.close()
  })

  test('counts that are old only by a wrong clock are not removed', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    let [nowMs, elapsedMs] = [NOW, 0]
    const writer = new UsageWriter(database, {
      events: { written: () => undefined, failed: () => undefined },
      storedMarket: (_, given) => given,
      clocks: { nowMs: () => nowMs, elapsedMs: () => elapsedMs },
    })
    writer.add(answeredCall({ nowMs }))
    await writer.flush()
    const popular = () => readPopularMarkets(database.read, { limit: 1, days: 1, nowMs: NOW })
    const after = async (elapsedHours: number, calendarHours: number) => {
      elapsedMs += elapsedHours * 3_600_001
      nowMs += calendarHours * 3_600_001
      await writer.flush()
      return (await popular()).length
    }
    expect(await after(0, 24 * 800)).toBe(1)
    expect(await after(1, 1)).toBe(1)
    expect(await after(0, -24 * 800)).toBe(1)
    expect(await after(1, 1)).toBe(1)
    // These hours passed on both clocks, so the old counts are removed.
    expect(await after(24 * 800, 24 * 800)).toBe(0)
    await writer.close()
  })
})
