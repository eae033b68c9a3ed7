// Runs every regular expression of the program's sources on texts that make a careless expression run for ever. It is a
// separate process, so that its test can end it. Prints each expression before it runs it.

import { readFileSync } from 'node:fs'
import { Glob } from 'bun'
import { effort } from '../run/effort.ts'

/** Length of the long text. A client can send as much in headers or in an address. Six patterns take quadratic time. */
const LENGTH = effort(8_192, 16_384)
const LITERAL = /(?<=[=(,:[!&|?{;]\s*|return |=> )\/(?![/*])((?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/g
const REPEATED = [
  ' ',
  '\t',
  'a',
  'A',
  '0',
  '-',
  '_',
  '.',
  ',',
  ':',
  '/',
  '@',
  '=',
  '%',
  '"',
  "'",
  '\\',
  '{',
  '\n',
  'é',
  '\u001b',
]
const PAIRS = ['a.', 'a ', ' a', '0,', 'a=', '://', '%20', '\\"', 'a:', '1/', '0-', 'bb_', 'sk_', 'a://a:', '${', '\n ']
const STARTS = ['', 'Bearer ', 'a://a:', 'https://a/', '0x', '2026-01-01T00:00:00.', '"']
const ENDS = ['', '\0']

const found = new Set<string>()
for (const file of new Glob('{src,workers,storage}/**/*.ts').scanSync('.')) {
  if (file.endsWith('.test.ts')) continue
  if (file.includes('node_modules')) continue
  const source = readFileSync(file, 'utf8').replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
  for (const [, pattern = '', flags = ''] of source.matchAll(LITERAL)) found.add(`${pattern}\n${flags}`)
}

let runs = 0
for (const each of found) {
  const [pattern = '', flags = ''] = each.split('\n')
  let expression: RegExp
  try {
    expression = new RegExp(pattern, flags)
  } catch {
    // Not an expression: a part of a text that looks like one.
    continue
  }
  console.log(`at /${pattern}/${flags}`)
  const own = /^\^?((?:[\w :/@=-]|\\[/.])+)/.exec(pattern)?.[1]?.replaceAll('\\', '') ?? ''
  for (const start of new Set([...STARTS, own])) {
    for (const piece of [...REPEATED, ...PAIRS]) {
      for (const end of ENDS) {
        const text = start + piece.repeat(LENGTH / piece.length) + end
        if (flags.includes('g')) text.replaceAll(expression, '')
        else expression.test(text)
        runs++
      }
    }
  }
}
console.log(`done ${found.size} ${runs}`)
