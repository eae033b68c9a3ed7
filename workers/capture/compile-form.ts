// Compiles a message form from one example: its JSON tree, and what the venue's description says about it.

import type { Amount, Part, Shape, Slot } from '../../storage/format/shape.ts'
import type { AmountPath, DescribedMessage } from '../venues/described-message.ts'
import { SOURCE_KEY } from '../venues/printed/printed-source.ts'
import type { JsonNode } from './json-tree.ts'
import { MatchedMessage } from './matched-message.ts'
import { type FormPart, flatForm, type MessageForm } from './message-form.ts'

/** The values of these keys distinguish the kinds of messages, so they are part of the form. */
const DISCRIMINATORS = new Set(['type', 'event_type', 'venue'])

const decoder = new TextDecoder()

/** A message that no form fits: the elements of a list differ in form, a change has no price, or there are more values
 *  than a match can hold. Such a message is stored as text. */
export class UnevenMessage extends Error {}

export type FormOptions = {
  hasReceivedMs: boolean
  /** The archive that the records come from, as in the shape; undefined for the user's own records. */
  source: string | undefined
  /** Whether prices of NO are on the scale of the YES ask. */
  isYesScale: boolean
  /** Path of a part that is stored as one value, whatever it contains. */
  textPath?: string
}

/** Compiles the form of `text`, which is one message; `root` is its parsed tree. Throws UnevenMessage if no form
 *  fits. */
export function compileForm(
  text: Uint8Array,
  root: JsonNode,
  description: DescribedMessage,
  { hasReceivedMs, source, isYesScale, textPath }: FormOptions,
): MessageForm {
  const compiler = new FormCompiler(text, description, textPath)
  compiler.compile(root)
  const { slots, firstSlot, firstList } = compiler
  const slotOf = (path: string | null): number => (path === null ? -1 : (compiler.slotAt.get(path) ?? -1))
  const listOf = (path: string | null): number => (path === null ? -1 : (compiler.listAt.get(path) ?? -1))
  const inMsg = (slot: number): number => (slot < firstSlot ? -1 : slot - firstSlot)
  const listInMsg = (list: number): number => (list < 0 ? -1 : list - firstList)
  const amount = (from: AmountPath): Amount => ({ slot: inMsg(slotOf(from.path)), mayBeCents: from.mayBeCents })
  const inDollars = (path: string): Amount => amount({ path, mayBeCents: false })
  const { quoteTime, eventTime, changes, best, trade, book, printed } = description
  const isOnYesScale = isYesScale && description.hasNoPrices
  const [sid, seq] = [slotOf(description.sid), slotOf(description.seq)]
  const shape: Shape = {
    kind: description.kind,
    envelopeType: description.envelopeType,
    parts: compiler.msgParts,
    slots: compiler.msgSlots(),
    listCount: compiler.msgListCount,
    hasReceivedMs,
    hasSid: sid >= 0,
    hasSeq: seq >= 0,
    timeSlot: inMsg(slotOf(quoteTime)),
    changes: null,
    levels: description.levels.flatMap((side) => {
      const levels = {
        list: listInMsg(listOf(side.list)),
        side: side.side,
        price: amount(side.price),
        size: amount(side.size),
        isComplement: side.isComplement && !isOnYesScale,
      }
      return levels.list < 0 || levels.price.slot < 0 || levels.size.slot < 0 ? [] : [levels]
    }),
    best: best && { bid: inDollars(best.bid), ask: inDollars(best.ask) },
    trade: trade && {
      price: amount(trade.price),
      size: amount(trade.size),
      side: inMsg(slotOf(trade.side)),
      sideMeaning: trade.sideMeaning,
      id: inMsg(slotOf(trade.id)),
    },
    ...(source !== undefined && { source }),
  }
  if (changes !== null) {
    const { list, isSigned, side } = changes
    const [price, size] = [amount(changes.price), amount(changes.size)]
    const isWhole = price.slot >= 0 && size.slot >= 0 && inMsg(slotOf(side)) >= 0
    // An entry without a price, size or side may still state the best prices. Such a message is compiled again with
    // `textPath`, where every entry has all three.
    if (!isWhole && textPath === undefined) throw new UnevenMessage()
    if (isWhole) shape.changes = { list: listInMsg(listOf(list)), price, size, side: inMsg(slotOf(side)), isSigned }
    if (isOnYesScale && shape.changes !== null) shape.changes.isYesScale = true
  }
  if (shape.best !== null && (shape.best.bid.slot < 0 || shape.best.ask.slot < 0)) shape.best = null
  if (shape.trade !== null && (shape.trade.price.slot < 0 || shape.trade.size.slot < 0)) shape.trade = null
  return {
    venue: description.venue,
    shapeKey: shapeKeyOf(shape),
    shape,
    parts: compiler.parts,
    flat: flatForm(compiler.parts, slots.length),
    slots,
    firstSlot,
    firstList,
    market: slotOf(description.market),
    book: slotOf(book?.path ?? null),
    bookList: listOf(book?.list ?? null),
    sid,
    seq,
    eventTime: slotOf(eventTime),
    isPrinted: printed !== null,
    received: slotOf(printed?.received ?? null),
    hasNoPrices: description.hasNoPrices,
  }
}

class FormCompiler {
  readonly slots: Slot[] = []
  readonly slotAt = new Map<string, number>()
  readonly listAt = new Map<string, number>()
  readonly parts: FormPart[] = []
  msgParts: Part[] = []
  firstSlot = 0
  firstList = 0
  msgSlotCount = 0
  msgListCount = 0

  readonly #text: Uint8Array
  readonly #msgPath: string
  readonly #counters: (string | null)[]
  readonly #isPrinted: boolean
  readonly #textPath: string | undefined
  #listCount = 0
  #copied = 0
  #target: FormPart[] = this.parts
  #canonical: Part[] = []
  #list = -1

  constructor(text: Uint8Array, { msg, sid, seq, printed }: DescribedMessage, textPath: string | undefined) {
    this.#text = text
    this.#msgPath = msg
    this.#counters = [sid, seq]
    this.#isPrinted = printed !== null
    this.#textPath = textPath
  }

  compile(root: JsonNode): void {
    this.#copied = root.start
    this.#node(root, '')
    this.#literalTo(root.end)
    if (!MatchedMessage.fits(this.slots.length, this.#listCount)) throw new UnevenMessage()
  }

  msgSlots(): Slot[] {
    return this.slots
      .slice(this.firstSlot, this.firstSlot + this.msgSlotCount)
      .map(({ list, isQuoted }) => ({ list: list < 0 ? -1 : list - this.firstList, isQuoted }))
  }

  #node(node: JsonNode, path: string): void {
    if (path !== this.#msgPath) return this.#inside(node, path)
    const outer = this.#canonical
    this.#canonical = []
    this.firstSlot = this.slots.length
    this.firstList = this.#listCount
    this.#inside(node, path)
    this.msgParts = joinTexts(this.#canonical)
    this.msgSlotCount = this.slots.length - this.firstSlot
    this.msgListCount = this.#listCount - this.firstList
    this.#canonical = outer
  }

  #inside(node: JsonNode, path: string): void {
    if (path === this.#textPath) this.#value(node, path, false)
    else if (node.type === 'object') this.#object(node, path)
    else if (node.type === 'array') this.#array(node, path)
    else if (node.type === 'literal') this.#fixed(node)
    else this.#value(node, path, node.type === 'string')
  }

  #object(node: Extract<JsonNode, { type: 'object' }>, path: string): void {
    this.#canonical.push('{')
    const lastOf = new Map(node.keys.map((key, i) => [key, i]))
    node.children.forEach((child, i) => {
      const key = node.keys[i]!
      this.#canonical.push(`${i > 0 ? ',' : ''}${JSON.stringify(key)}:`)
      const isDiscriminator = DISCRIMINATORS.has(key) || (this.#isPrinted && path === '' && key === SOURCE_KEY)
      if (isDiscriminator && child.type === 'string') this.#fixed(child)
      // If a key occurs twice, its last value counts, as in JSON.parse.
      else this.#node(child, lastOf.get(key) === i ? pathOf(path, key) : `${path}?${i}`)
    })
    this.#canonical.push('}')
  }

  #array(node: Extract<JsonNode, { type: 'array' }>, path: string): void {
    if (node.children.length === 0) return this.#fixed({ ...node }, '[]')
    if (this.#list >= 0) return this.#tuple(node, path)
    const form = signatureOf(node.children[0]!)
    if (node.children.some((child) => signatureOf(child) !== form)) throw new UnevenMessage()
    this.#listOf(node, path)
  }

  #listOf(node: Extract<JsonNode, { type: 'array' }>, path: string): void {
    const list = this.#listCount++
    this.listAt.set(path, list)
    const element = node.children[0]!
    this.#literalTo(element.start)
    const [target, canonical] = [this.#target, this.#canonical]
    this.#target = []
    this.#canonical = []
    this.#list = list
    const firstSlot = this.slots.length
    this.#node(element, `${path}[]`)
    this.#literalTo(element.end)
    const slots = Array.from({ length: this.slots.length - firstSlot }, (_, i) => firstSlot + i)
    target.push({ type: 'list', list, element: this.#target, slots })
    canonical.push('[', { list: list - this.firstList, element: joinTexts(this.#canonical) }, ']')
    this.#target = target
    this.#canonical = canonical
    this.#list = -1
    this.#copied = node.children.at(-1)!.end
  }

  // Compiles an array inside a list's element. It has a fixed length, such as the [price, size] of a level.
  #tuple(node: Extract<JsonNode, { type: 'array' }>, path: string): void {
    this.#canonical.push('[')
    node.children.forEach((child, i) => {
      if (i > 0) this.#canonical.push(',')
      this.#node(child, `${path}[${i}]`)
    })
    this.#canonical.push(']')
  }

  #value(node: JsonNode, path: string, isQuoted: boolean): void {
    const slot = this.slots.length
    // Check now, not at the end: a message may have a million values.
    if (!MatchedMessage.fits(slot + 1, this.#listCount)) throw new UnevenMessage()
    this.slots.push({ list: this.#list, isQuoted })
    this.slotAt.set(path, slot)
    const margin = isQuoted ? 1 : 0
    this.#literalTo(node.start + margin)
    this.#target.push({ type: 'value', slot, isQuoted, isCounter: this.#counters.includes(path) })
    this.#copied = node.end - margin
    const place = { slot: slot - this.firstSlot }
    if (isQuoted) this.#canonical.push('"', place, '"')
    else this.#canonical.push(place)
  }

  #fixed(node: JsonNode, printed?: string): void {
    const text = printed ?? decoder.decode(this.#text.subarray(node.start, node.end))
    this.#canonical.push(text)
    this.#literalTo(node.end)
  }

  #literalTo(end: number): void {
    if (end > this.#copied) this.#target.push({ type: 'literal', bytes: this.#text.slice(this.#copied, end) })
    this.#copied = end
  }
}

// Quotes a key that could be mistaken for a path. No description uses such a key.
function pathOf(path: string, key: string): string {
  const name = key === '' || /[.[\]]/.test(key) ? `?${JSON.stringify(key)}` : key
  return path === '' ? name : `${path}.${name}`
}

function joinTexts(parts: Part[]): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part
    else joined.push(part)
  }
  return joined
}

/** Returns the identity of a shape as text: equal keys mean equal columns with equal meanings. */
function shapeKeyOf(shape: Shape): string {
  const partKey = (part: Part): string =>
    typeof part === 'string' ? part : 'slot' in part ? '\0' : `\x01${part.element.map(partKey).join('')}\x02`
  const { kind, envelopeType, changes, levels, best, trade, timeSlot, hasReceivedMs, hasSid, hasSeq, source } = shape
  return JSON.stringify([
    kind,
    envelopeType,
    shape.parts.map(partKey).join(''),
    shape.slots,
    changes,
    levels,
    best,
    trade,
    timeSlot,
    hasReceivedMs,
    hasSid,
    hasSeq,
    source,
  ])
}

/** Returns a text that is equal for elements with the same keys in the same order and the same kinds of values. */
function signatureOf(node: JsonNode): string {
  if (node.type === 'object') return `{${node.children.map((child, i) => node.keys[i] + signatureOf(child)).join()}}`
  if (node.type === 'array') return `[${node.children.map(signatureOf).join()}]`
  return node.type === 'literal' ? `literal${node.end - node.start}` : node.type
}
