// Tests that a server restarts its recorder after ever longer pauses, and that the recorder stops with the server.

import { describe, expect, test } from 'bun:test'
import { FakeTime } from '../../../test/support/venues/fake-time.ts'
import { type Child, superviseRecorder } from './recorder-child.ts'

function supervised() {
  const time = new FakeTime(1_786_000_000_000)
  const startedMs: number[] = []
  const signals: string[] = []
  const logged: string[] = []
  let end: (code: number) => void = () => undefined
  const nowMs = () => Number(time.clock.monoNs()) / 1e6
  const recorder = superviseRecorder({
    start(): Child {
      startedMs.push(nowMs())
      const { promise, resolve } = Promise.withResolvers<number>()
      end = resolve
      return { exited: promise, kill: (signal) => signals.push(signal) }
    },
    timers: time.timers,
    random: () => 1,
    nowMs,
    log: { info: () => undefined, error: (_, message) => logged.push(message) },
  })
  return { time, startedMs, signals, logged, recorder, end: (code: number) => end(code) }
}

test('pauses double while the recorder ends at once, and start over after a healthy minute', async () => {
  const { time, startedMs, end } = supervised()
  for (const ms of [1_000, 2_000, 4_000]) {
    end(-1)
    await time.advance(ms)
  }
  expect(startedMs).toEqual([0, 1_000, 3_000, 7_000])
  await time.advance(60_000)
  end(1)
  await time.advance(1_000)
  expect(startedMs.at(-1)).toBe(68_000)
})

test('a recorder with an invalid configuration is not restarted', async () => {
  const { time, startedMs, logged, end } = supervised()
  end(2)
  await time.advance(600_000)
  expect(startedMs).toEqual([0])
  expect(logged.join()).toContain('its configuration is invalid')
})

describe('a stop', () => {
  test('signals the recorder, and waits for it to end', async () => {
    const { time, signals, recorder, end } = supervised()
    let isStopped = false
    void recorder.stop().then(() => {
      isStopped = true
    })
    await time.advance(59_000)
    expect([signals, isStopped]).toEqual([['SIGTERM'], false])
    end(0)
    await time.advance(600_000)
    expect([signals, isStopped, time.waiting]).toEqual([['SIGTERM'], true, 0])
  })

  test('kills a recorder that does not stop within a minute', async () => {
    const { time, signals, logged, recorder, end } = supervised()
    const stopped = recorder.stop()
    await time.advance(60_000)
    expect(signals).toEqual(['SIGTERM', 'SIGKILL'])
    end(-1)
    await stopped
    expect(logged.join()).toContain('next start')
  })

  test('during a pause prevents the next start', async () => {
    const { time, startedMs, signals, recorder, end } = supervised()
    end(1)
    await time.advance(500)
    await recorder.stop()
    await time.advance(600_000)
    expect([startedMs, signals]).toEqual([[0], []])
  })
})
