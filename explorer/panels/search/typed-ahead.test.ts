// Collects text that is typed before the search field is ready.

import { expect, test } from 'bun:test'
import { TypedAhead } from './typed-ahead.ts'

const typed = (...keys: string[]) => {
  const ahead = new TypedAhead()
  const areKept = keys.map((key) => ahead.press(key))
  return { text: ahead.text, hasEnter: ahead.hasEnter, areKept }
}

test('takes letters and signs, but not keys with a name', () => {
  expect(typed('a', ' ', 'é', '😀', 'ArrowDown', 'Escape', 'Tab')).toEqual({
    text: 'a é😀',
    hasEnter: false,
    areKept: [true, true, true, true, false, false, false],
  })
})

test('Backspace removes the last letter, if there is one', () => {
  expect(typed('Backspace', 'a', '😀', 'Backspace').text).toBe('a')
})

test('Enter counts if nothing was typed after it', () => {
  expect(typed('a', 'Enter').hasEnter).toBe(true)
  expect(typed('a', 'Enter', 'b')).toMatchObject({ text: 'ab', hasEnter: false })
})
