// Tests rows as a plain table.

import { expect, test } from 'bun:test'
import { written } from '../../../test/support/programs/made-terminal.ts'
import { table } from './table.ts'

const ROWS = [
  ['kalshi', 5],
  ['a', null],
] as const
const shown = (options = {}) => written(() => table(['VENUE', 'N'], ROWS), options).result

test('columns are as wide as their widest cell, and no line ends with a blank', () => {
  expect(shown()).toBe('VENUE   N\nkalshi  5\na       -\n')
})

test('the head is bold on a terminal, unless it has no colours', () => {
  expect(shown({ isTTY: true })).toStartWith('\x1b[1mVENUE\x1b[22m')
  expect(shown({ isTTY: true, env: { NO_COLOR: '1' } })).toBe(shown())
})

test('a cell cannot control the terminal', () => {
  expect(written(() => table(['A'], [['x\x1b[31my']])).result).toBe('A\nx\\u001b[31my\n')
})
