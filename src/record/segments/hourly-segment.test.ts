// What happens when an hour is over and the disk refuses a call.

import { expect, test } from 'bun:test'
import { HourlySegment } from './hourly-segment.ts'
import type { Segment } from './segment-files.ts'

type Refusals = { open: boolean; close: boolean }

function scene() {
  const refused: Refusals = { open: false, close: false }
  const written: string[] = []
  let isDue = false
  let opened = 0
  const check = (call: keyof Refusals) => {
    if (refused[call]) throw new Error(`the disk refuses ${call}`)
  }
  const open = () => {
    check('open')
    const name = `s${++opened}`
    let waiting: string[] = []
    const flush = () => {
      written.push(...waiting)
      waiting = []
    }
    return {
      frame: (text: string) => waiting.push(`${name} ${text}`),
      isDue: () => isDue && name === 's1',
      flush,
      close: () => {
        check('close')
        flush()
        written.push(`${name} end`)
      },
      abandon: () => written.push(`${name} abandoned`),
    } as unknown as Segment
  }
  const header = { venue: 'kalshi', connection: 'k', url: '', useYesPrice: null, clock: 'machine' } as const
  const begin = (segment: Segment) => segment.frame('begins', null, 0n)
  const hourly = new HourlySegment(open, header, { wallNs: () => 0n }, begin)
  const endHour = () => {
    isDue = true
  }
  return { hourly, refused, written, endHour, say: (text: string) => hourly.segment.frame(text, null, 0n) }
}

test.each(['open', 'close'] as const)(
  'a segment goes on until its successor is there, if the disk refuses %s',
  (call) => {
    const { hourly, refused, written, endHour, say } = scene()
    say('one')
    hourly.flush()
    endHour()
    refused[call] = true
    say('two')
    expect(() => hourly.flush()).toThrow(`refuses ${call}`)
    say('three')
    expect(() => hourly.flush()).toThrow(`refuses ${call}`)
    expect(written.at(-1)).toBe('s1 three')
    refused[call] = false
    hourly.flush()
    say('four')
    hourly.close({})
    expect(written).toEqual(['s1 begins', 's1 one', 's1 two', 's1 three', 's1 end', 's2 begins', 's2 four', 's2 end'])
  },
)

test('the file of an hour that never began is abandoned', () => {
  const { hourly, refused, written, endHour } = scene()
  endHour()
  refused.close = true
  expect(() => hourly.flush()).toThrow('refuses close')
  hourly.abandon()
  expect(written).toEqual(['s1 begins', 's1 abandoned', 's2 abandoned'])
})
