// Prints texts as values: quoted in JSON, and in CSV where needed.

import type { Texts } from './table.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const [QUOTE, BACKSLASH, COMMA, NEWLINE, RETURN, SPACE] = [0x22, 0x5c, 0x2c, 0x0a, 0x0d, 0x20]

/** Returns the room for a text of `length` bytes in the worst case: JSON prints a control character as six
 *  characters. */
export const quotedRoom = (length: number): number => 6 * length + 2

/** Returns the text with quotation marks where RFC 4180 requires them. An empty text is quoted too, because an empty
 *  cell is null. */
export const quotedCsv = (text: string): string =>
  text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** Returns the texts as they are written as values: quoted in JSON, and in CSV where needed. */
export const quotedTexts = (texts: readonly string[], isCsv: boolean): Texts =>
  joinedTexts(texts.map((text) => (isCsv ? quotedCsv(text) : JSON.stringify(text))))

/** Joins texts, in the layout of a text column. */
export function joinedTexts(texts: readonly string[]): Texts {
  const encoded = texts.map((text) => encoder.encode(text))
  const offsets = new Uint32Array(texts.length + 1)
  encoded.forEach((bytes, i) => {
    offsets[i + 1] = offsets[i]! + bytes.length
  })
  return { arena: new Uint8Array(Buffer.concat(encoded)), offsets }
}

/** Returns the length of the longest text, in bytes. */
export function longestText({ offsets }: Texts): number {
  let longest = 0
  for (let i = 1; i < offsets.length; i++) longest = Math.max(longest, offsets[i]! - offsets[i - 1]!)
  return longest
}

export function putCopied(bytes: Uint8Array, start: number, { arena, offsets }: Texts, index: number): number {
  const end = offsets[index + 1]!
  let at = start
  for (let from = offsets[index]!; from < end; from++) bytes[at++] = arena[from]!
  return at
}

/** Writes a text as JSON. Returns where it ends. */
export function putJsonText(bytes: Uint8Array, start: number, texts: Texts, index: number): number {
  const { arena, offsets } = texts
  const end = offsets[index + 1]!
  let at = start
  bytes[at++] = QUOTE
  for (let from = offsets[index]!; from < end; from++) {
    const byte = arena[from]!
    if (byte < SPACE || byte === QUOTE || byte === BACKSLASH) {
      return putText(bytes, start, JSON.stringify(textAt(texts, index)))
    }
    bytes[at++] = byte
  }
  bytes[at++] = QUOTE
  return at
}

/** Writes a text as CSV. Returns where it ends. */
export function putCsvText(bytes: Uint8Array, start: number, texts: Texts, index: number): number {
  const { arena, offsets } = texts
  const end = offsets[index + 1]!
  let at = start
  for (let from = offsets[index]!; from < end; from++) {
    const byte = arena[from]!
    if (byte === QUOTE || byte === COMMA || byte === NEWLINE || byte === RETURN) break
    bytes[at++] = byte
  }
  return at - start === end - offsets[index]! && at > start
    ? at
    : putText(bytes, start, quotedCsv(textAt(texts, index)))
}

export const textAt = ({ arena, offsets }: Texts, index: number): string =>
  decoder.decode(arena.subarray(offsets[index], offsets[index + 1]))

const putText = (bytes: Uint8Array, at: number, text: string): number =>
  at + encoder.encodeInto(text, bytes.subarray(at)).written
