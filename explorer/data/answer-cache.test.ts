// Caches answers: they are requested once, renewed in the background, and dropped when there are too many.

import { describe, expect, test } from 'bun:test'
import { effect } from '@preact/signals'
import { AnswerCache } from './answer-cache.ts'

/** Returns answers that the test resolves in any order. */
function answers() {
  const requested: PromiseWithResolvers<string>[] = []
  const load = () => {
    const answer = Promise.withResolvers<string>()
    requested.push(answer)
    return answer.promise
  }
  return { requested, load }
}

const settle = () => new Promise((done) => setTimeout(done, 0))

/** Returns a list that gets the value of a name each time the name is drawn. */
function drawn(kept: AnswerCache<string>, name: string, load: () => Promise<string>) {
  const values: (string | null)[] = []
  effect(() => {
    values.push(kept.take(name, load).value)
  })
  return values
}

describe('a renewed answer', () => {
  test('is shown in its old form until the new answer arrives', async () => {
    const kept = new AnswerCache<string>(100, () => 1)
    const { requested, load } = answers()
    const values = drawn(kept, 'a', load)
    requested[0]!.resolve('old')
    await settle()
    kept.renew((name) => name === 'a')
    expect([requested.length, kept.peek('a')]).toEqual([2, 'old'])
    requested[1]!.resolve('new')
    await settle()
    expect(values.filter((value, i) => value !== values[i - 1])).toEqual([null, 'old', 'new'])
    expect(requested.length).toBe(2)
  })

  test('has one request at a time, and one more if it was renewed meanwhile', async () => {
    const kept = new AnswerCache<string>(100, () => 1)
    const { requested, load } = answers()
    drawn(kept, 'a', load)
    for (let i = 0; i < 5; i++) kept.renew(() => true)
    expect(requested.length).toBe(1)
    requested[0]!.resolve('first')
    await settle()
    expect(requested.length).toBe(2)
    for (let i = 0; i < 5; i++) kept.renew(() => true)
    requested[1]!.resolve('second')
    await settle()
    expect(requested.length).toBe(3)
    requested[2]!.resolve('third')
    await settle()
    expect([requested.length, kept.peek('a')]).toEqual([3, 'third'])
  })

  test('stays as it was if the request fails, and is not requested while nothing shows it', async () => {
    const kept = new AnswerCache<string>(100, () => 1)
    const { requested, load } = answers()
    const values = drawn(kept, 'a', load)
    kept.take('b', load)
    for (const each of requested) each.resolve('old')
    await settle()
    kept.renew(() => true)
    expect(requested.length).toBe(3)
    requested[2]!.reject(new Error('busy'))
    await settle()
    expect([values.at(-1), requested.length]).toEqual(['old', 3])
  })

  test('is marked as old until the new answer arrives or its request fails', async () => {
    const kept = new AnswerCache<string>(100, () => 1)
    const { requested, load } = answers()
    const seen: (string | null)[] = []
    effect(() => {
      const { value, isOld } = kept.take('a', load)
      seen.push(isOld ? `old ${value}` : value)
    })
    requested[0]!.resolve('first')
    await settle()
    kept.renew(() => true)
    requested[1]!.resolve('second')
    await settle()
    kept.renew(() => true)
    requested[2]!.reject(new Error('busy'))
    await settle()
    expect(seen).toEqual([null, 'first', 'old first', 'second', 'old second', 'second'])
  })

  test('can be selected by its value too', async () => {
    const kept = new AnswerCache<string>(100, () => 1)
    const { requested, load } = answers()
    const names = ['whole', 'part', 'none']
    for (const name of names) kept.take(name, load)
    requested[0]!.resolve('whole')
    requested[1]!.resolve('part')
    await settle()
    kept.renew((_, value) => value !== 'whole')
    requested[2]!.resolve('none')
    await settle()
    expect(names.map((name) => kept.take(name, load).isOld === true)).toEqual([false, true, true])
  })

  test('counts its bytes once', async () => {
    const kept = new AnswerCache<string>(10, (text) => text.length)
    const { requested, load } = answers()
    drawn(kept, 'a', load)
    requested[0]!.resolve('12345')
    await settle()
    for (let i = 1; i < 4; i++) {
      kept.renew(() => true)
      requested[i]!.resolve('12345')
      await settle()
    }
    kept.take('b', load)
    requested[4]!.resolve('12345')
    await settle()
    expect([kept.peek('a'), kept.peek('b')]).toEqual(['12345', '12345'])
    kept.take('c', load)
    requested[5]!.resolve('1')
    await settle()
    expect([kept.peek('a'), kept.peek('c')]).toEqual([null, '1'])
  })
})
