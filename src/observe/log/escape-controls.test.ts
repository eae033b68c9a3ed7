// Tests that text from outside is safe to show on a terminal.

import { expect, test } from 'bun:test'
import { escapeControls } from './escape-controls.ts'

test.each([
  ['plain ü 東 😀 "a" \\', 'plain ü 東 😀 "a" \\'],
  ['a\u001b[31mb', 'a\\u001b[31mb'],
  ['a\nb\r\tc\u0000', 'a\\u000ab\\u000d\\u0009c\\u0000'],
  ['a\u202eb\u200bc', 'a\\u202eb\\u200bc'],
  ['a\u2028b\u2029', 'a\\u2028b\\u2029'],
  ['\u009b1m\u007f', '\\u009b1m\\u007f'],
  // A character of two UTF-16 units.
  ['\u{e0001}', '\\udb40\\udc01'],
])('%j', (text, safe) => expect(escapeControls(text)).toBe(safe))
