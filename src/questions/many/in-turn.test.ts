// Tests that answers come in order, that a few start before their turn, and that no caller is left waiting.

import { expect, test } from 'bun:test'
import { inTurn } from './in-turn.ts'

test('answers come in their order, and only a limited number starts ahead of its turn', async () => {
  const begun: number[] = []
  const seen: unknown[] = []
  const begin = async (index: number) => {
    begun.push(index)
    return index
  }
  for await (const answer of inTurn(6, 2, { begin, leave: () => undefined })) seen.push([answer, begun.length])
  expect(seen).toEqual([
    [0, 3],
    [1, 4],
    [2, 5],
    [3, 6],
    [4, 6],
    [5, 6],
  ])
})

test('a request that waits for its turn starts then', async () => {
  const begun: number[] = []
  const begin = async (index: number, turn: Promise<void>) => {
    await turn
    begun.push(index)
    return [...begun]
  }
  const seen: unknown[] = []
  for await (const answer of inTurn(3, 2, { begin, leave: () => undefined })) seen.push(answer)
  expect(seen).toEqual([[0], [0, 1], [0, 1, 2]])
})

test('a failure is thrown in its turn, and the answers after it are released', async () => {
  const left: number[] = []
  const begin = async (index: number) => {
    if (index === 1) throw new Error('broken')
    return index
  }
  const answers = inTurn(4, 2, { begin, leave: (index) => void left.push(index) })
  expect(await answers.next()).toEqual({ done: false, value: 0 })
  expect(await answers.next().catch((error: Error) => error.message)).toBe('broken')
  await Promise.resolve()
  expect(left).toEqual([2, 3])
})

test('a client that leaves ends the started requests, and starts no others', async () => {
  const left: number[] = []
  const refused: number[] = []
  const begin = (index: number, turn: Promise<void>) => {
    if (index !== 2) return Promise.resolve(index)
    return turn.then(
      () => index,
      (error: Error) => {
        refused.push(index)
        throw error
      },
    )
  }
  const answers = inTurn(9, 2, { begin, leave: (index) => void left.push(index) })
  await answers.next()
  await answers.return(undefined)
  await new Promise((resolve) => setImmediate(resolve))
  expect([left, refused]).toEqual([[1], [2]])
})
