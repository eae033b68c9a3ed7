// A message form is a shape ready for matching: it has the literal bytes between values. A line of a known form is
// parsed by comparing bytes, without JSON.parse.

import type { Shape, Slot } from '../../storage/format/shape.ts'
import type { Venue } from '../../storage/venue.ts'
import { sameText, viewOf } from '../bytes/byte-words.ts'
import type { MatchedMessage } from './matched-message.ts'
import { RepeatedValues } from './repeated-values.ts'

/** A part of a form. The quotes around an `isQuoted` value belong to the literals; an `isCounter` value is a whole
 *  number. */
export type FormPart =
  | { type: 'literal'; bytes: Uint8Array }
  | { type: 'value'; slot: number; isQuoted: boolean; isCounter: boolean }
  | { type: 'list'; list: number; element: FormPart[]; slots: number[] }

export type MessageForm = {
  venue: Venue
  /** Equal for forms whose records are stored in the same way. */
  shapeKey: string
  shape: Shape
  parts: FormPart[]
  /** The same parts flattened, for known text; undefined for a form that matches parsed text only. */
  flat: FlatForm | undefined
  slots: Slot[]
  /** First slot and list that belong to the record: [first, first + shape.slots.length). */
  firstSlot: number
  firstList: number
  market: number
  /** Slot of the book's id. `bookList` is the list whose elements each have such an id; -1 if there is no such list. */
  book: number
  bookList: number
  sid: number
  seq: number
  eventTime: number
  /** Whether the record was printed by an export. Then `eventTime` holds its event time, and `received` is the slot of
   *  its receipt time. */
  isPrinted: boolean
  received: number
  /** See `DescribedMessage`. */
  hasNoPrices: boolean
}

/** Literals and values in turn: text[0 .. textEnds[0]), value 0, text[textEnds[0] .. textEnds[1]), and so on. A value
 *  belongs to slots[i]; a list is the next entry of `lists`. */
export type FlatForm = {
  text: DataView
  textEnds: Int32Array
  values: Uint8Array
  slots: Int32Array
  lists: { list: number; element: FlatForm; slots: number[] }[]
  /** Last values, by slot of the whole form. */
  repeated: RepeatedValues
}

const QUOTED = 0
const NUMBER = 1
const COUNTER = 2
const LIST = 3

/** Bytes that need no escape in a JSON string: printable ASCII except the quote and the backslash. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte <= 0x7e && byte !== 0x22 && byte !== 0x5c ? 1 : 0,
)

/** Flattens the parts of a form with `slotCount` slots. */
export function flatForm(
  parts: FormPart[],
  slotCount: number,
  repeated: RepeatedValues = new RepeatedValues(slotCount),
): FlatForm {
  const texts: Uint8Array[] = []
  const textEnds: number[] = []
  const values: number[] = []
  const slots: number[] = []
  const lists: FlatForm['lists'] = []
  let length = 0
  for (const part of parts) {
    if (part.type === 'literal') {
      texts.push(part.bytes)
      length += part.bytes.length
      continue
    }
    textEnds.push(length)
    if (part.type === 'list') {
      lists.push({ list: part.list, slots: part.slots, element: flatForm(part.element, slotCount, repeated) })
      values.push(LIST)
      slots.push(-1)
    } else {
      values.push(part.isQuoted ? QUOTED : part.isCounter ? COUNTER : NUMBER)
      slots.push(part.slot)
    }
  }
  textEnds.push(length)
  return {
    text: new DataView(new Uint8Array(Buffer.concat(texts)).buffer),
    ...{ textEnds: Int32Array.from(textEnds), values: Uint8Array.from(values), slots: Int32Array.from(slots) },
    ...{ lists, repeated },
  }
}

/** How strictly values are matched. `known` text was not parsed before: anything doubtful does not match. */
export type Strictness = 'known' | 'parsed'

const COUNTER_DIGITS_MAX = 15

/** Matches bytes[start..end) and stores the places of its values in `match`. Returns where the message ends, or -1. */
export function matchForm(
  form: MessageForm,
  bytes: Uint8Array,
  start: number,
  end: number,
  strictness: Strictness,
  match: MatchedMessage,
): number {
  match.reset()
  match.messageStart = start
  if (strictness === 'known') match.messageEnd = matchFlat(form.flat!, bytes, start, end, match)
  else {
    match.texts.fill(0, 0, form.slots.length)
    match.messageEnd = matchParts(form.parts, bytes, start, end, match)
  }
  return match.messageEnd
}

function matchFlat(form: FlatForm, bytes: Uint8Array, start: number, end: number, match: MatchedMessage): number {
  const { text, textEnds, values, slots, repeated } = form
  const { starts, ends, texts } = match
  const view = viewOf(bytes)
  let at = start
  let next = 0
  let lists = 0
  for (let i = 0; ; i++) {
    const textEnd = textEnds[i]!
    const length = textEnd - next
    if (at + length > end || !sameText(view, at, text, next, length)) return -1
    at += length
    next = textEnd
    if (i === values.length) return at
    const kind = values[i]!
    if (kind === LIST) {
      at = matchElements(form.lists[lists++]!, bytes, at, end, match)
      if (at < 0) return -1
      continue
    }
    const slot = slots[i]!
    starts[slot] = at
    if (kind === QUOTED) {
      const repeatedLength = repeated.lengthAt(slot, view, at, end)
      at += repeatedLength
      // An empty text ends at once; it does not repeat the previous text.
      if (repeatedLength === 0 || at === end || bytes[at] !== 0x22) {
        at = starts[slot]!
        while (IS_PLAIN[bytes[at]!] === 1) at++
        if (at >= end || bytes[at] !== 0x22) return -1
        repeated.note(slot, bytes, starts[slot]!, at)
      }
      texts[slot] = repeated.textAt(slot)
    } else {
      texts[slot] = 0
      at = kind === COUNTER ? counterEnd(bytes, at, end) : numberEnd(bytes, at, end)
      if (at < 0) return -1
    }
    ends[slot] = at
  }
}

function matchElements(
  { list, element, slots }: FlatForm['lists'][number],
  bytes: Uint8Array,
  start: number,
  end: number,
  match: MatchedMessage,
): number {
  match.openList(list)
  for (let at = start; ; ) {
    at = matchFlat(element, bytes, at, end, match)
    if (at < 0) return -1
    match.addElement(list, slots)
    const next = nextElement(bytes, at)
    if (next < 0) return at
    at = next
  }
}

function matchParts(parts: FormPart[], bytes: Uint8Array, start: number, end: number, match: MatchedMessage): number {
  let at = start
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!
    if (part.type === 'literal') {
      const literal = part.bytes
      const length = literal.length
      if (at + length > end) return -1
      for (let j = 0; j < length; j++) if (bytes[at + j] !== literal[j]) return -1
      at += length
    } else if (part.type === 'value') {
      const valueEnd = part.isQuoted
        ? stringEnd(bytes, at, end)
        : part.isCounter
          ? counterEnd(bytes, at, end)
          : looseEnd(bytes, at, end)
      if (valueEnd < 0) return -1
      match.starts[part.slot] = at
      match.ends[part.slot] = valueEnd
      at = valueEnd
    } else {
      at = matchList(part, bytes, at, end, match)
      if (at < 0) return -1
    }
  }
  return at
}

function matchList(
  part: { list: number; element: FormPart[]; slots: number[] },
  bytes: Uint8Array,
  start: number,
  end: number,
  match: MatchedMessage,
): number {
  match.openList(part.list)
  let at = start
  for (;;) {
    at = matchParts(part.element, bytes, at, end, match)
    if (at < 0) return -1
    match.addElement(part.list, part.slots)
    const next = nextElement(bytes, at)
    if (next < 0) return at
    at = next
  }
}

/** Returns the position after the comma that follows an element; -1 if no comma follows. */
function nextElement(bytes: Uint8Array, end: number): number {
  let at = end
  while (bytes[at] === 0x20) at++
  if (bytes[at] !== 0x2c) return -1
  do at++
  while (bytes[at] === 0x20)
  return at
}

function stringEnd(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    if (bytes[at] === 0x22) return at
    if (bytes[at] === 0x5c) at++
  }
  return -1
}

// Returns the end of a plain decimal, as venues print them; -1 otherwise. Exponents and leading zeros are left to the
// parser, which refuses the zeros.
function numberEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = bytes[start] === 0x2d ? start + 1 : start
  const wholeStart = at
  while (at < end && isDigit(bytes[at]!)) at++
  if (at === wholeStart || (at - wholeStart > 1 && bytes[wholeStart] === 0x30)) return -1
  if (bytes[at] !== 0x2e) return at
  const fractionStart = ++at
  while (at < end && isDigit(bytes[at]!)) at++
  return at === fractionStart ? -1 : at
}

function counterEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && isDigit(bytes[at]!)) at++
  const digits = at - start
  return digits === 0 || digits > COUNTER_DIGITS_MAX || (digits > 1 && bytes[start] === 0x30) ? -1 : at
}

// Returns the end of a value in parsed text: a number ends at a delimiter; an object or array stored as text ends at
// its closing bracket.
function looseEnd(bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start]
  if (first === 0x7b || first === 0x5b) return nestedEnd(bytes, start, end)
  let at = start
  while (at < end && !isDelimiter(bytes[at]!)) at++
  return at === start ? -1 : at
}

function nestedEnd(bytes: Uint8Array, start: number, end: number): number {
  let depth = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (byte === 0x22) {
      at = stringEnd(bytes, at + 1, end)
      if (at < 0) return -1
    } else if (byte === 0x7b || byte === 0x5b) depth++
    else if ((byte === 0x7d || byte === 0x5d) && --depth === 0) return at + 1
  }
  return -1
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39
const isDelimiter = (byte: number): boolean => byte === 0x2c || byte === 0x5d || byte === 0x7d || byte <= 0x20
