// Texts are always quoted in JSON, and in CSV if RFC 4180 requires it.

import { expect, test } from 'bun:test'
import {
  longestText,
  putCopied,
  putCsvText,
  putJsonText,
  quotedCsv,
  quotedRoom,
  quotedTexts,
  textAt,
} from './quoted-text.ts'
import type { Texts } from './table.ts'

const ODD = ['plain', '', 'a"b', 'a,b', 'a\nb', 'a\rb', '\\', '\u0007', '\u001f', 'Zürich ⚽', '"', ',']

function textsOf(texts: string[]): Texts {
  const bytes = texts.map((text) => Buffer.from(text))
  const offsets = Uint32Array.from([0, ...bytes.map((_, i) => Buffer.concat(bytes.slice(0, i + 1)).length)])
  return { arena: new Uint8Array(Buffer.concat(bytes)), offsets }
}
const texts = textsOf(ODD)
const csv = ['plain', '""', '"a""b"', '"a,b"', '"a\nb"', '"a\rb"', '\\', '\u0007', '\u001f', 'Zürich ⚽', '""""', '","']

const printed = (put: typeof putJsonText, of: Texts, index: number) => {
  const bytes = new Uint8Array(100).fill(0x2e)
  const end = put(bytes, 3, of, index)
  expect([...bytes.subarray(0, 3)]).toEqual([0x2e, 0x2e, 0x2e])
  return Buffer.from(bytes.subarray(3, end)).toString()
}

test('each text, by itself and from texts that were quoted before', () => {
  for (const [i, text] of ODD.entries()) {
    expect(textAt(texts, i)).toBe(text)
    expect(quotedCsv(text)).toBe(csv[i]!)
    expect(printed(putCsvText, texts, i)).toBe(csv[i]!)
    expect(printed(putJsonText, texts, i)).toBe(JSON.stringify(text))
    expect(printed(putCopied, quotedTexts(ODD, true), i)).toBe(csv[i]!)
    expect(printed(putCopied, quotedTexts(ODD, false), i)).toBe(JSON.stringify(text))
  }
})

test('room for the worst case', () => {
  const control = '\u0001'.repeat(5)
  expect(quotedRoom(5)).toBe(JSON.stringify(control).length)
  expect(longestText(texts)).toBe(Buffer.from('Zürich ⚽').length)
  expect(longestText(textsOf([]))).toBe(0)
})
