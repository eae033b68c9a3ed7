// Goal: answers that only wait for their clients keep nobody waiting, and there are never more of them than allowed.

import { describe, expect, test } from 'bun:test'
import { type Answering, AnswerSlots } from '../../../workers/pool/answer-slots.ts'

const LIMITS = { working: 2, stalled: 2, mayWait: (queued: number) => queued < 2 }

class Answer implements Answering {
  stalledSinceMs: number | null = null
  isCut = false

  cut(): void {
    this.isCut = true
    this.stalledSinceMs = null
  }
}

const stalledSince = (stalledSinceMs: number) => Object.assign(new Answer(), { stalledSinceMs })
const isPending = async (promise: Promise<void> | undefined) =>
  (await Promise.race([promise?.then(() => 'entered'), Promise.resolve('pending')])) === 'pending'

describe('slots', () => {
  test('are given at once while there are any, then in turn, then not at all', async () => {
    const slots = new AnswerSlots(LIMITS)
    const [first, second] = [new Answer(), new Answer()]
    expect([slots.enter(first), slots.enter(second)]).toEqual([undefined, undefined])
    const third = slots.enter(new Answer())
    const fourth = slots.enter(new Answer())
    expect(slots.queued).toBe(2)
    expect(() => slots.enter(new Answer())).toThrow(expect.objectContaining({ code: 'overloaded' }))
    slots.leave(first)
    await third
    expect(await isPending(fourth)).toBe(true)
    slots.leave(second)
    await fourth
    expect(slots.queued).toBe(0)
  })

  test('are not held by answers whose clients take nothing', () => {
    const slots = new AnswerSlots(LIMITS, () => 1_000)
    slots.enter(stalledSince(900))
    slots.enter(stalledSince(899))
    expect([slots.enter(new Answer()), slots.enter(new Answer()), slots.queued]).toEqual([undefined, undefined, 0])
  })

  test('are held by those that took something a moment ago', async () => {
    const slots = new AnswerSlots(LIMITS, () => 1_000)
    const answer = stalledSince(901)
    slots.enter(answer)
    slots.enter(new Answer())
    const waiting = slots.enter(new Answer())
    expect(await isPending(waiting)).toBe(true)
    answer.stalledSinceMs = 100
    await waiting
  })

  test('beyond the stalled that there may be, the one that was waited for longest is cut', () => {
    const slots = new AnswerSlots(LIMITS, () => 1_000)
    const answers = [300, 100, 200, 400].map(stalledSince)
    for (const answer of answers) slots.enter(answer)
    slots.enter(new Answer())
    expect(answers.map(({ isCut }) => isCut)).toEqual([false, true, true, false])
  })

  test('closing refuses those who wait', async () => {
    const slots = new AnswerSlots(LIMITS)
    for (let each = 0; each < 2; each++) slots.enter(new Answer())
    const waiting = slots.enter(new Answer())
    slots.close()
    expect(await waiting?.catch((error: unknown) => error)).toMatchObject({ code: 'overloaded' })
  })
})
