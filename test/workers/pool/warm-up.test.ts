// Goal: threads warm up only while nobody asks, each of them, and every kind of question that they answer from blocks.

import { describe, expect, test } from 'bun:test'
import { memoryStore } from '../../../storage/memory/memory-store.ts'
import { inFolder } from '../../../storage/open-store.ts'
import { createWorkers } from '../../../workers/pool/pool.ts'
import { WarmUp, type WarmUpOptions } from '../../../workers/pool/warm-up.ts'
import { wholeAnswer } from '../../../workers/pool/whole-answer.ts'
import { makeWarmUpDay } from '../../../workers/warm-up/warm-up-day.ts'
import { warmUpQuestions } from '../../../workers/warm-up/warm-up-questions.ts'
import { temporaryFolder } from '../../support/server.ts'

const DAY = new SharedArrayBuffer(8)
const QUESTIONS = 3

/** Threads that are asked in turn, and know so many questions. */
function madeUpThreads(threads: number) {
  const asked = Array.from({ length: threads }, () => 0)
  let turn = 0
  const step: WarmUpOptions['step'] = async (day) => {
    expect(day).toBe(DAY)
    const threadId = turn++ % threads
    return { threadId, isWarm: ++asked[threadId]! > QUESTIONS }
  }
  return { asked, step }
}

describe('a warm-up', () => {
  test.each([1, 2, 5])('of %d threads ends when each of them has answered everything', async (threads) => {
    const { asked, step } = madeUpThreads(threads)
    const warmUp = new WarmUp({ threads, step, isQuiet: () => true, makeDay: async () => DAY })
    expect(warmUp.warmCount).toBe(0)
    await warmUp.run()
    expect(warmUp.warmCount).toBe(threads)
    expect(Math.min(...asked)).toBeGreaterThan(QUESTIONS)
  })

  test('makes nothing and asks nothing while somebody else asks', async () => {
    const { asked, step } = madeUpThreads(1)
    let [looks, days] = [0, 0]
    const askedAtLook: number[] = []
    const warmUp = new WarmUp({
      threads: 1,
      step,
      // Three times not, then once, and so on.
      isQuiet: () => looks++ % 4 === 3,
      makeDay: async () => {
        days++
        return DAY
      },
      wait: async () => {
        askedAtLook.push(asked[0]! + days)
      },
    })
    await warmUp.run()
    // Three waits before the day is made, and before each question.
    expect(askedAtLook).toEqual([0, 1, 2, 3, 4].flatMap((done) => [done, done, done]))
  })

  test('that is stopped asks no further thread', async () => {
    const { asked, step } = madeUpThreads(1)
    const warmUp = new WarmUp({
      threads: 1,
      step: (day) => {
        if (asked[0] === 1) warmUp.stop()
        return step(day)
      },
      isQuiet: () => true,
      makeDay: async () => DAY,
    })
    await warmUp.run()
    expect({ asked, warm: warmUp.warmCount }).toEqual({ asked: [2], warm: 0 })
  })

  test('fails where a thread or the making of the day does', async () => {
    const failing = async (): Promise<never> => {
      throw new Error('ended')
    }
    const { step } = madeUpThreads(2)
    const options = { threads: 2, step, isQuiet: () => true, makeDay: async () => DAY }
    const broken = [new WarmUp({ ...options, step: failing }), new WarmUp({ ...options, makeDay: failing })]
    for (const warmUp of broken) {
      expect(await warmUp.run().catch((error: Error) => error.message)).toBe('ended')
      expect(warmUp.warmCount).toBe(0)
    }
  })
})

test('every kind of question is asked, and answered', async () => {
  const day = await makeWarmUpDay()
  const store = memoryStore({}, day.state)
  const asked = new Set<string>()
  for (const { task, request } of warmUpQuestions(day)) {
    const { chunks } = await task.answer(store, request)
    const answer = wholeAnswer(chunks)
    const bytes = 'bytes' in answer ? answer.bytes.length : (answer.chunks.next().value?.length ?? 0)
    // More than a document without rows.
    expect(`${task.name} ${bytes > 500}`).toBe(`${task.name} true`)
    asked.add(task.name)
  }
  const expected = ['book', 'book_changes', 'depth', 'depth-map', 'page', 'summary', 'trade-summary', 'trades']
  expect([...asked].sort()).toEqual(expected)
})

test('the threads of a pool warm up, and nothing of it is counted', async () => {
  using folder = temporaryFolder()
  const tasks: unknown[] = []
  const options = { place: inFolder(folder.path), threads: 2, queueMax: 1, onTask: (task: unknown) => tasks.push(task) }
  const workers = createWorkers({ ...options, warmsUp: true })
  while (workers.figures().warm !== 2) await Bun.sleep(20)
  expect(workers.figures()).toMatchObject({ threads: 2, running: 0, completed: 0 })
  expect(tasks).toEqual([])
  await workers.close()
})

test('a pool that does not warm up says nothing of it', async () => {
  using folder = temporaryFolder()
  const workers = createWorkers({ place: inFolder(folder.path), threads: 1, queueMax: 1 })
  expect(workers.figures()).not.toHaveProperty('warm')
  await workers.close()
})
