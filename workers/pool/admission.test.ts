// Answers that only wait for their clients do not delay others, small answers do not wait for large ones, and the
// amount in progress never exceeds the limits.

import { describe, expect, test } from 'bun:test'
import { Admission, type Admitted } from './admission.ts'

const LIMITS = { small: 2, largeBytes: 10, slow: 2, slowBytes: 100, queue: 4 }

class Answer implements Admitted {
  stalledSinceMs: number | null = null
  isCut = false

  cut(): void {
    this.isCut = true
    this.stalledSinceMs = null
  }
}

const overloaded = expect.objectContaining({ code: 'overloaded' })

/** Returns functions that add answers by name, and the order in which answers were admitted. */
function door(limits: Partial<typeof LIMITS> = {}) {
  const admission = new Admission({ ...LIMITS, ...limits })
  const entered: string[] = []
  const answers = new Map<string, Answer>()
  const enter = (name: string, bytes = 0) => {
    const answer = new Answer()
    answers.set(name, answer)
    const room = admission.enter(answer, bytes)
    if (room === undefined) entered.push(name)
    else void room.then(() => entered.push(name))
  }
  const of = (name: string) => answers.get(name)!
  const leave = async (name: string) => {
    admission.leave(of(name))
    await Promise.resolve()
  }
  return { admission, entered, enter, of, leave }
}

describe('small answers', () => {
  test('have room at once while there is any, then in turn, then not at all', async () => {
    const { admission, entered, enter, leave } = door({ queue: 2 })
    for (const name of ['a', 'b', 'c', 'd']) enter(name)
    expect([entered, admission.queued]).toEqual([['a', 'b'], 2])
    expect(() => enter('e')).toThrow(overloaded)
    await leave('a')
    await leave('b')
    expect([entered, admission.queued]).toEqual([['a', 'b', 'c', 'd'], 0])
  })

  test('wait for no large one', async () => {
    const { entered, enter, leave } = door()
    for (const name of ['large', 'next', 'last']) enter(name, 10)
    enter('small')
    expect(entered).toEqual(['large', 'small'])
    await leave('large')
    expect(entered).toEqual(['large', 'small', 'next'])
  })
})

describe('large answers', () => {
  test('have as much room as there is, and go in turn', async () => {
    const { entered, enter, leave } = door()
    enter('a', 6)
    enter('b', 4)
    enter('c', 6)
    enter('d', 1)
    expect(entered).toEqual(['a', 'b'])
    await leave('b')
    expect(entered).toEqual(['a', 'b'])
    await leave('a')
    expect(entered).toEqual(['a', 'b', 'c', 'd'])
  })

  test('that are larger than all the room are made alone', async () => {
    const { entered, enter, leave } = door()
    enter('a', 1)
    enter('huge', 99)
    enter('b', 1)
    expect(entered).toEqual(['a'])
    await leave('a')
    expect(entered).toEqual(['a', 'huge'])
    await leave('huge')
    expect(entered).toEqual(['a', 'huge', 'b'])
  })

  test('leave a part of the queue to small ones', () => {
    const { admission, enter } = door()
    for (const name of ['a', 'b', 'c', 'd']) enter(name, 10)
    expect(() => enter('e', 10)).toThrow(overloaded)
    for (const name of ['f', 'g', 'h']) enter(name)
    expect(admission.queued).toBe(4)
    expect(() => enter('i')).toThrow(overloaded)
  })
})

describe('answers of slow clients', () => {
  test('give their room to others, once', async () => {
    const { admission, entered, enter, of, leave } = door()
    for (const name of ['a', 'b', 'c', 'd']) enter(name)
    admission.slow(of('a'), 1)
    admission.slow(of('a'), 1)
    await Promise.resolve()
    expect(entered).toEqual(['a', 'b', 'c'])
    await leave('a')
    expect(entered).toEqual(['a', 'b', 'c'])
  })

  test('beyond the maximum number, the answer that was waited for longest is cut', () => {
    const { admission, enter, of } = door({ small: 4 })
    for (const [name, stalledSinceMs] of Object.entries({ a: 300, b: 100, c: 200, d: 400 })) {
      enter(name)
      of(name).stalledSinceMs = stalledSinceMs
      admission.slow(of(name), 1)
    }
    expect(['a', 'b', 'c', 'd'].map((name) => of(name).isCut)).toEqual([false, true, true, false])
  })

  test('beyond the limit of packed bytes, answers are cut until it fits, but one remains', async () => {
    const { admission, enter, of, leave } = door({ small: 9, slow: 9 })
    const packed = { a: 40, b: 30, c: 30, d: 60, e: 200, f: 100 }
    const pack = (name: keyof typeof packed, stalledSinceMs: number) => {
      enter(name)
      of(name).stalledSinceMs = stalledSinceMs
      admission.slow(of(name), packed[name])
    }
    const cut = () => Object.keys(packed).filter((name) => of(name)?.isCut)
    pack('a', 1)
    pack('b', 2)
    pack('c', 3)
    expect(cut()).toEqual([])
    pack('d', 4)
    expect(cut()).toEqual(['a', 'b'])
    await leave('c')
    pack('e', 5)
    expect(cut()).toEqual(['a', 'b', 'd'])
    await leave('e')
    pack('f', 6)
    expect(cut()).toEqual(['a', 'b', 'd'])
  })
})

test('closing refuses waiting answers', async () => {
  const admission = new Admission(LIMITS)
  for (let each = 0; each < 2; each++) void admission.enter(new Answer(), 0)
  const waiting = admission.enter(new Answer(), 0)
  admission.close()
  expect(await waiting?.catch((error: unknown) => error)).toEqual(overloaded)
})
