// A thread's own end of its warm-up: it answers made-up questions from memory, one each time it is told to.

import { setTimeout as pause } from 'node:timers/promises'
import { deserialize } from 'node:v8'
import { memoryStore } from '../../storage/memory/memory-store.ts'
import type { Store } from '../../storage/open-store.ts'
import type { WarmUpDay } from '../warm-up/warm-up-day.ts'
import { type WarmUpQuestion, warmUpQuestions } from '../warm-up/warm-up-questions.ts'
import { wholeAnswer } from './whole-answer.ts'

type WarmingUp = { store: Store; questions: Iterator<WarmUpQuestion> }

let warmingUp: WarmingUp | 'done' | undefined

/** A thread that is warm and asked again holds its place for so long, so that the pool asks others. */
const HOLD_MS = 5

/** False once no question is left. `day` is a serialized WarmUpDay. */
export async function answerNext(day: SharedArrayBuffer): Promise<boolean> {
  if (warmingUp === 'done') {
    await pause(HOLD_MS)
    return false
  }
  warmingUp ??= begin(day)
  const { store, questions } = warmingUp
  const next = questions.next()
  if (next.done) {
    warmingUp = 'done'
    // It has let go of more than it takes.
    Bun.gc(true)
    return false
  }
  const { task, request } = next.value
  const answer = wholeAnswer((await task.answer(store, request)).chunks)
  if ('chunks' in answer) while (!answer.chunks.next().done) {}
  return true
}

function begin(bytes: SharedArrayBuffer): WarmingUp {
  const day = deserialize(new Uint8Array(bytes).slice()) as WarmUpDay
  return { store: memoryStore({}, day.state), questions: warmUpQuestions(day) }
}
