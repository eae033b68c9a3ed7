// Compares answers with the slow model, cell by cell.

import type { Random } from '../../../workers/synthetic/random.ts'
import type { ModelStore } from '../../model/model.ts'
import { type Answer, type Ask, modelAsk, type Query } from '../../model/questions/model-ask.ts'

export type Comparison = {
  /** Answers the queries under test: an app over a store, a client, or the model itself. */
  ask: Ask
  /** The model, which has loaded the same captures. */
  model: ModelStore
  random: Random
  /** The current time for both, Unix ms. */
  nowMs: number
  /** Number of queries per comparison. */
  count: number
}

/** Compares every key of the model's answer, except cursors, which are opaque. Throws with the query and the first cell
 *  that differs. */
export async function expectSameAnswer(comparison: Comparison, path: string, query: Query): Promise<Answer> {
  const expected = await modelAsk(comparison.model, comparison.nowMs)(path, query)
  const actual = await comparison.ask(path, query)
  for (const key of Object.keys(expected)) {
    if (key !== 'next_cursor') expectSameValue(questionText(path, query), key, actual[key], expected[key])
  }
  return actual
}

export const questionText = (path: string, query: Query) => `${path}?${new URLSearchParams(query)}`

export function expectSameValue(question: string, name: string, actual: unknown, expected: unknown): void {
  const difference = firstDifference(actual, expected, name)
  if (difference !== undefined) throw new Error(`${question}\n${difference}`)
}

/** Returns the first difference; undefined if both are the same. */
function firstDifference(actual: unknown, expected: unknown, at: string): string | undefined {
  if (Object.is(actual, expected)) return undefined
  if (!isList(actual) || !isList(expected) || Array.isArray(actual) !== Array.isArray(expected)) {
    return `${at} is ${JSON.stringify(actual)?.slice(0, 300)}, the model says ${JSON.stringify(expected)?.slice(0, 300)}`
  }
  const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
  for (const key of keys) {
    const difference = firstDifference(actual[key], expected[key], `${at}.${key}`)
    if (difference !== undefined) return difference
  }
  return undefined
}

const isList = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
