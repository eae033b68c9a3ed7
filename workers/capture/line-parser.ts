// Parses the lines of a capture into messages. A line of a known frame and form costs one pass over its bytes. The
// first line of its kind, and any unusual line, takes the slow path through JSON.parse (unknown-line.ts), which adds a
// new form for the next line.

import { sameText, viewOf } from '../bytes/byte-words.ts'
import { isOutside } from '../venues/unreadable.ts'
import { type LineFrame, MS_DIGITS, receivedMsOf, wholeClockEnd, wholeClockMs, wholeNumberEnd } from './line-frame.ts'
import { MatchedMessage } from './matched-message.ts'
import { type MessageForm, matchForm } from './message-form.ts'
import { QuotedBody } from './quoted-body.ts'
import { parseUnknownLine } from './unknown-line.ts'

/** Receives what a line contains. `message` is called for each message before the next one is parsed, because the match
 *  is reused. */
export interface LineSink {
  message(form: MessageForm, bytes: Uint8Array, match: MatchedMessage, receivedMs: number): void
  /** Receives a control frame, or something known that is not a record. `frame` is the parsed object, if it is an
   *  object. */
  skip(what: string, frame?: Record<string, unknown>): void
  /** Receives a remark about a message that is passed on nevertheless: "with …", "kept as …". */
  note?(what: string): void
  /** Receives the reason for rejecting a message. `message` is the part at fault, if not the whole line. */
  reject(reason: string, message?: Uint8Array): void
  /** Receives the text of a gap record that an export printed, if the record does not name its Polymarket market. */
  gap?(record: Uint8Array): void
  /** Receives an event or a market as its venue describes it. */
  metadata(value: Record<string, unknown>, source: Uint8Array): void
  /** Receives a line of a segment that describes the recording. */
  control?(kind: string, value: Record<string, unknown>): void
}

const decoder = new TextDecoder()
const FORMS_MAX = 512
const FRAMES_MAX = 32

export class LineParser {
  /** The archive that all lines come from; new forms get this source. Undefined for the user's own captures. */
  readonly source: string | undefined
  /** Whether Kalshi's NO prices in all lines of this parser are on the scale of the YES ask. */
  readonly isYesScale: boolean
  readonly #sink: LineSink
  readonly #match = new MatchedMessage()
  #forms: MessageForm[] = []
  #frames: LineFrame[] = []
  #received = Number.NaN
  readonly #quoted = new QuotedBody()
  #bodyBytes: Uint8Array = this.#quoted.bytes
  #bodyStart = 0
  #bodyForm: MessageForm | undefined
  #arrayForms: { form: MessageForm; start: number; end: number }[] = []

  constructor(sink: LineSink, source?: string, isYesScale = false) {
    this.#sink = sink
    this.source = source
    this.isYesScale = isYesScale
  }

  /** Parses bytes[start..end), one line without its line feed. */
  parse(bytes: Uint8Array, start: number, end: number): void {
    for (let i = 0; i < this.#frames.length; i++) {
      const frame = this.#frames[i]!
      if (!this.#matchFrame(frame, bytes, start, end)) continue
      if (i > 0) this.#frames = [frame, ...this.#frames.filter((other) => other !== frame)]
      return this.#emit()
    }
    parseUnknownLine(bytes.slice(start, end), this.#sink, this)
  }

  /** Passes on the messages of a body if all of their forms are known. Otherwise returns false and passes on
   *  nothing. */
  emitKnown(bytes: Uint8Array, receivedMs: number): boolean {
    if (this.#matchBody(bytes, 0, bytes.length, !Number.isNaN(receivedMs)) !== bytes.length) return false
    this.#received = receivedMs
    this.#emit()
    return true
  }

  /** Stores the frame of the line just read, to recognise more lines like it. */
  learnFrame(frame: LineFrame): void {
    const isKnown = this.#frames.some((known) => Bun.deepEquals(known, frame))
    if (!isKnown && this.#frames.length < FRAMES_MAX) this.#frames.push(frame)
  }

  learnForm(form: MessageForm): void {
    const isKnown = this.#forms.some(
      (known) => known.shapeKey === form.shapeKey && Bun.deepEquals(known.parts, form.parts),
    )
    if (isKnown) return
    if (this.#forms.length >= FORMS_MAX) this.#forms = []
    this.#forms.push(form)
  }

  /** Passes on the one message in `bytes`, which was parsed before. Returns false if the form does not fit. `source`
   *  is the message as the capture has it. If `source` differs from `bytes`, it is appended to the bytes of the
   *  message. */
  emitParsed(form: MessageForm, bytes: Uint8Array, receivedMs: number, source: Uint8Array): boolean {
    const { length } = bytes
    const all = source === bytes ? bytes : new Uint8Array(Buffer.concat([bytes, source]))
    if (matchForm(form, all, 0, length, 'parsed', this.#match) !== length) return false
    if (all !== bytes) this.#match.sourceEnd = all.length
    this.#sink.message(form, all, this.#match, receivedMs)
    return true
  }

  #matchFrame(frame: LineFrame, bytes: Uint8Array, start: number, end: number): boolean {
    let at = start
    this.#received = Number.NaN
    const { parts } = frame
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i]!
      if (part.type === 'literal') {
        const { length } = part.bytes
        if (at + length > end || !sameText(viewOf(bytes), at, part.view, 0, length)) return false
        at += length
      } else if (part.type === 'received') {
        let valueEnd = wholeClockEnd(bytes, at, end)
        if (valueEnd >= 0) this.#received = wholeClockMs(bytes, at)
        else {
          valueEnd = clockEnd(bytes, at, end)
          this.#received = receivedMsOf(bytes, at, valueEnd)
        }
        if (Number.isNaN(this.#received)) return false
        at = valueEnd
      } else if (part.type === 'body') {
        at = this.#matchBody(bytes, at, end, frame.hasReceivedMs)
        if (at < 0) return false
      } else if (part.type === 'number') {
        at = wholeNumberEnd(bytes, at, end)
        if (at < 0) return false
      } else {
        const quoted = this.#quoted
        at = quoted.read(bytes, at, end)
        if (at < 0) return false
        const { length } = quoted
        if (this.#matchBody(quoted.bytes, 0, length, frame.hasReceivedMs) !== length) return false
      }
    }
    return at === end
  }

  // Only matches. `#emit` matches a body of several messages again and passes them on: first the forms of all of them
  // must be known.
  #matchBody(bytes: Uint8Array, start: number, end: number, hasReceivedMs: boolean): number {
    this.#bodyBytes = bytes
    this.#bodyStart = start
    if (bytes[start] !== 0x5b) return this.#matchMessage(bytes, start, end, hasReceivedMs)
    this.#arrayForms = []
    let at = start + 1
    for (;;) {
      const messageEnd = this.#matchMessage(bytes, at, end, hasReceivedMs)
      if (messageEnd < 0) return -1
      this.#arrayForms.push({ form: this.#bodyForm!, start: at, end: messageEnd })
      at = messageEnd
      while (bytes[at] === 0x20) at++
      if (bytes[at] === 0x5d) return at + 1
      if (bytes[at] !== 0x2c) return -1
      do at++
      while (bytes[at] === 0x20)
    }
  }

  #matchMessage(bytes: Uint8Array, start: number, end: number, hasReceivedMs: boolean): number {
    for (let i = 0; i < this.#forms.length; i++) {
      const form = this.#forms[i]!
      // A printed record has its own receipt time.
      if ((form.isPrinted ? false : form.shape.hasReceivedMs) !== hasReceivedMs) continue
      const messageEnd = matchForm(form, bytes, start, end, 'known', this.#match)
      if (messageEnd < 0 || (form.isPrinted && !hasUsualTimes(form, bytes, this.#match))) continue
      if (isUnlike(form, bytes, this.#match)) continue
      if (i > 0) {
        this.#forms[i] = this.#forms[i - 1]!
        this.#forms[i - 1] = form
      }
      this.#bodyForm = form
      return messageEnd
    }
    return -1
  }

  #emit(): void {
    const bytes = this.#bodyBytes
    if (bytes[this.#bodyStart] !== 0x5b) {
      const form = this.#bodyForm!
      this.#sink.message(form, bytes, this.#match, receivedOf(form, bytes, this.#match, this.#received))
      return
    }
    const received = this.#received
    for (const { form, start, end } of this.#arrayForms) {
      matchForm(form, bytes, start, end, 'known', this.#match)
      this.#sink.message(form, bytes, this.#match, receivedOf(form, bytes, this.#match, received))
    }
  }
}

/** Returns the form of a line that holds one message, and the text in each of its slots. Returns undefined for any
 *  other line, or if a list does not have exactly one element. */
export function formOfLine(
  line: Uint8Array,
  source: string | undefined,
): { form: MessageForm; texts: string[] } | undefined {
  const found: { form: MessageForm; texts: string[] }[] = []
  let isWhole = true
  const markIncomplete = () => {
    isWhole = false
  }
  const message: LineSink['message'] = (form, bytes, { starts, ends, listLengths }) => {
    if (form.parts.some((part) => part.type === 'list' && listLengths[part.list] !== 1)) markIncomplete()
    found.push({ form, texts: form.slots.map((_, slot) => decoder.decode(bytes.subarray(starts[slot], ends[slot]))) })
  }
  new LineParser({ message, skip: markIncomplete, reject: markIncomplete, metadata: markIncomplete }, source).parse(
    line,
    0,
    line.length,
  )
  return isWhole && found.length === 1 ? found[0] : undefined
}

function receivedOf(form: MessageForm, bytes: Uint8Array, { starts }: MatchedMessage, framedMs: number): number {
  if (!form.isPrinted) return framedMs
  return form.received < 0 ? Number.NaN : wholeClockMs(bytes, starts[form.received]!)
}

/** Returns whether a value makes the message unusable for a book, by the rules of its venue's description.
 *  Such a message takes the slow path. */
function isUnlike(
  { hasNoPrices, shape, slots, firstSlot, firstList }: MessageForm,
  bytes: Uint8Array,
  match: MatchedMessage,
) {
  const { changes, trade, levels } = shape
  const { starts, ends } = match
  if (changes !== null && hasNoPrices) {
    const side = firstSlot + changes.side
    return !isYesOrNo(bytes, starts[side]!, ends[side]!)
  }
  if (trade !== null) {
    const price = firstSlot + trade.price.slot
    return isPriceOutside(bytes, starts[price]!, ends[price]!, trade.price.mayBeCents)
  }
  for (const { list: listInMsg, price } of levels) {
    const { first, end, step } = match.placesOf(slots, firstList + listInMsg, firstSlot + price.slot)
    for (let at = first; at < end; at += step) {
      if (isPriceOutside(bytes, match.elementStarts[at]!, match.elementEnds[at]!, price.mayBeCents)) return true
    }
  }
  return false
}

const isYesOrNo = (bytes: Uint8Array, start: number, end: number): boolean =>
  bytes[start] === 0x79
    ? end - start === 3 && bytes[start + 1] === 0x65 && bytes[start + 2] === 0x73
    : end - start === 2 && bytes[start] === 0x6e && bytes[start + 1] === 0x6f

/** Returns whether a price is outside its range. A price that begins with "0." is inside, so it is not decoded. */
const isPriceOutside = (bytes: Uint8Array, start: number, end: number, mayBeCents: boolean): boolean =>
  (bytes[start] !== 0x30 || bytes[start + 1] !== 0x2e) &&
  isOutside(decoder.decode(bytes.subarray(start, end)), mayBeCents)

/** Returns whether a printed record's times have thirteen digits, as all times since 2001 do. */
function hasUsualTimes({ eventTime, received }: MessageForm, bytes: Uint8Array, match: MatchedMessage): boolean {
  return isUsualTime(eventTime, bytes, match) && (received < 0 || isUsualTime(received, bytes, match))
}

function isUsualTime(slot: number, bytes: Uint8Array, { starts, ends }: MatchedMessage): boolean {
  const start = starts[slot]!
  return wholeClockEnd(bytes, start, ends[slot]! + 1) === start + MS_DIGITS && wholeClockMs(bytes, start) >= 0
}

// Returns where the clock's characters end, quoted or not: digits, sign, point, and those of RFC 3339.
function clockEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && bytes[at] !== 0x22 && bytes[at] !== 0x2c && bytes[at] !== 0x7d && bytes[at]! > 0x20) at++
  return at
}
