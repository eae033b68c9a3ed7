// Messages with the places of their values as plain integers, for a thread that did not match them: what it reads is
// what the parser handed on, without looking at the text between the values again.

import type { CaptureMessage } from '../capture/capture-message.ts'
import { MatchedMessage } from '../capture/matched-message.ts'
import type { FormPart, MessageForm } from '../capture/message-form.ts'

/** What a thread must know to read a log: a form's own slots, and how many lists its text has. */
export type LoggedForm = { form: MessageForm; rowSlots: number[]; listCount: number }

/** Where a log begins to count: lines and messages of a capture may outgrow 31 bits, those of a log do not. */
export type LogOrigin = { line: number; message: number }

/** Integers of a message before the places of its values. */
const HEADER_INTS = 9
const TWO_POW_32 = 2 ** 32
const NO_CLOCK = -1

export function loggedForm(form: MessageForm): LoggedForm {
  const rowSlots = form.slots.flatMap(({ list }, slot) => (list < 0 ? [slot] : []))
  return { form, rowSlots, listCount: listCountOf(form.parts) }
}

const listCountOf = (parts: FormPart[]): number =>
  parts.reduce((sum, part) => sum + (part.type === 'list' ? 1 + listCountOf(part.element) : 0), 0)

/** Integers that `writeMessage` takes. */
export function loggedInts({ rowSlots, listCount }: LoggedForm, match: MatchedMessage): number {
  const lists = listCount === 0 ? 0 : 1 + 2 * listCount + 2 * match.elementCount
  return HEADER_INTS + 2 * rowSlots.length + lists
}

/** Writes at log[at..]; returns where it ends. `offset` is added to all places; `market` and `form` are numbers that
 *  the reader knows. */
export function writeMessage(
  log: Int32Array,
  at: number,
  origin: LogOrigin,
  { market, form, offset }: { market: number; form: number; offset: number },
  { rowSlots, listCount }: LoggedForm,
  { match, receivedMs, line, number }: CaptureMessage,
): number {
  let to = at
  log[to++] = form
  log[to++] = market
  log[to++] = line - origin.line
  log[to++] = number - origin.message
  log[to++] = Number.isNaN(receivedMs) ? NO_CLOCK : Math.floor(receivedMs / TWO_POW_32)
  log[to++] = receivedMs % TWO_POW_32
  log[to++] = match.messageStart + offset
  log[to++] = match.messageEnd + offset
  log[to++] = match.sourceEnd === 0 ? 0 : match.sourceEnd + offset
  const { starts, ends } = match
  for (let i = 0; i < rowSlots.length; i++) {
    const slot = rowSlots[i]!
    log[to++] = starts[slot]! + offset
    log[to++] = ends[slot]! + offset
  }
  if (listCount === 0) return to
  const { elementCount, elementStarts, elementEnds } = match
  log[to++] = elementCount
  for (let list = 0; list < listCount; list++) {
    log[to++] = match.listLengths[list]!
    log[to++] = match.listBases[list]!
  }
  for (let i = 0; i < elementCount; i++) {
    log[to++] = elementStarts[i]! + offset
    log[to++] = elementEnds[i]! + offset
  }
  return to
}

/** Calls `use` with each message of log[0..end), in the order they were written; a message is valid during the call. */
export function readMessages(
  log: Int32Array,
  end: number,
  bytes: Uint8Array,
  forms: LoggedForm[],
  origin: LogOrigin,
  use: (market: number, message: CaptureMessage) => void,
): void {
  const match = new MatchedMessage()
  const { starts, ends } = match
  let message: CaptureMessage | undefined
  for (let at = 0; at < end; ) {
    const { form, rowSlots, listCount } = forms[log[at]!]!
    message ??= { form, bytes, match, receivedMs: 0, line: 0, number: 0 }
    message.form = form
    const market = log[at + 1]!
    message.line = log[at + 2]! + origin.line
    message.number = log[at + 3]! + origin.message
    const high = log[at + 4]!
    message.receivedMs = high === NO_CLOCK ? Number.NaN : high * TWO_POW_32 + (log[at + 5]! >>> 0)
    match.messageStart = log[at + 6]!
    match.messageEnd = log[at + 7]!
    match.sourceEnd = log[at + 8]!
    at += HEADER_INTS
    for (let i = 0; i < rowSlots.length; i++) {
      const slot = rowSlots[i]!
      starts[slot] = log[at++]!
      ends[slot] = log[at++]!
    }
    if (listCount > 0) at = readLists(log, at, listCount, match)
    use(market, message)
  }
}

function readLists(log: Int32Array, start: number, listCount: number, match: MatchedMessage): number {
  let at = start
  const count = log[at++]!
  match.setElementCount(count)
  for (let list = 0; list < listCount; list++) {
    match.listLengths[list] = log[at++]!
    match.listBases[list] = log[at++]!
  }
  const { elementStarts, elementEnds } = match
  for (let i = 0; i < count; i++) {
    elementStarts[i] = log[at++]!
    elementEnds[i] = log[at++]!
  }
  return at
}
