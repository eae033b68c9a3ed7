// The long way through a line: JSON.parse, what the venue says of it, and a form for the next line like it.

import { describeGap } from '../venues/describe-gap.ts'
import type { DescribedMessage, NoRecord } from '../venues/described-message.ts'
import { isObject } from '../venues/described-message.ts'
import { describeKalshi } from '../venues/kalshi/describe-kalshi.ts'
import { describePolymarket } from '../venues/polymarket/describe-polymarket.ts'
import { metadataKindOf } from '../venues/polymarket/gamma-metadata.ts'
import { compileForm, UnevenMessage } from './compile-form.ts'
import { childOf, compactJson, type JsonNode, jsonTree } from './json-tree.ts'
import { BARE_FRAME, envelopeOf, frameOf, receivedMsOf } from './line-frame.ts'
import type { LineParser, LineSink } from './line-parser.ts'
import { describeUneven, UNEVEN_TEXT, unevenText } from './uneven-message.ts'

const CONTROL_TEXT = /^(?:PING|PONG|ping|pong)$/
const BACKSLASH = 0x5c
const encoder = new TextEncoder()

export function parseUnknownLine(bytes: Uint8Array, sink: LineSink, parser: LineParser): void {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return sink.reject('the line is not UTF-8')
  }
  const trimmed = text.trim()
  if (trimmed === '') return
  if (CONTROL_TEXT.test(trimmed)) return sink.skip(trimmed.toLowerCase())
  try {
    JSON.parse(text)
  } catch (error) {
    return sink.reject(`the line is not JSON: ${(error as Error).message}`)
  }
  try {
    parseDocument(bytes, sink, parser)
  } catch (error) {
    // Nested beyond what can be followed, most likely: one such line must not cost the rest of the file.
    sink.reject(`the line cannot be taken apart: ${(error as Error).message}`)
  }
}

/** Parses one JSON document, checked before: a message, several, or an envelope around either. */
export function parseDocument(bytes: Uint8Array, sink: LineSink, parser: LineParser): void {
  const root = jsonTree(bytes)
  const envelope = envelopeOf(root)
  const messages = new UnknownMessages(bytes, sink, parser)
  if (envelope === undefined) {
    if (root.type === 'object') parser.learnFrame(BARE_FRAME)
    return messages.parse(root)
  }
  const { received, body } = envelope
  if (received !== undefined && received.type !== 'literal') {
    const margin = received.type === 'string' ? 1 : 0
    messages.receivedMs = receivedMsOf(bytes, received.start + margin, received.end - margin)
    if (Number.isNaN(messages.receivedMs)) return sink.reject('the envelope has no time between 2000 and 2100')
  }
  if (body.type === 'string') return messages.parseQuoted(body)
  parser.learnFrame(frameOf(bytes, root, envelope))
  messages.parse(body)
}

class UnknownMessages {
  receivedMs = Number.NaN
  readonly #bytes: Uint8Array
  readonly #sink: LineSink
  readonly #parser: LineParser

  constructor(bytes: Uint8Array, sink: LineSink, parser: LineParser) {
    this.#bytes = bytes
    this.#sink = sink
    this.#parser = parser
  }

  parse(node: JsonNode): void {
    if (node.type === 'array') {
      if (node.children.length === 0) this.#sink.skip('empty')
      for (const child of node.children) this.parse(child)
      return
    }
    if (node.type !== 'object') {
      const printed = compactJson(this.#bytes, node)
      if (CONTROL_TEXT.test(printed.replaceAll('"', ''))) return this.#sink.skip('control')
      const message = this.#bytes.slice(node.start, node.end)
      return this.#sink.reject(`${printed.slice(0, 40)} is no message: a message is a JSON object`, message)
    }
    this.#message(this.#bytes, node)
  }

  /** A body that is itself JSON in a string. */
  parseQuoted(node: JsonNode): void {
    const inner: string = JSON.parse(new TextDecoder().decode(this.#bytes.subarray(node.start, node.end)))
    if (CONTROL_TEXT.test(inner)) return this.#sink.skip(inner.toLowerCase())
    const bytes = encoder.encode(inner)
    try {
      JSON.parse(inner)
    } catch (error) {
      return this.#sink.reject(`the envelope's text is not JSON: ${(error as Error).message}`)
    }
    const messages = new UnknownMessages(bytes, this.#sink, this.#parser)
    messages.receivedMs = this.receivedMs
    messages.parse(jsonTree(bytes))
  }

  #message(bytes: Uint8Array, node: JsonNode): void {
    const raw = bytes.slice(node.start, node.end)
    const value: unknown = JSON.parse(new TextDecoder().decode(raw))
    if (!isObject(value)) return
    const described = describeGap(value) ?? describePolymarket(value) ?? describeKalshi(value)
    if (described === undefined) {
      // Saved REST answers stand under `response`.
      const document = isObject(value['response']) ? value['response'] : value
      const kind = metadataKindOf(document)
      if (kind === 'gamma') return this.#sink.metadata(document)
      if (kind !== undefined) return this.#sink.skip(kind)
      return this.#sink.reject('neither a Polymarket nor a Kalshi message', raw)
    }
    if (isNoRecord(described)) {
      return 'skip' in described ? this.#sink.skip(described.skip) : this.#sink.reject(described.reject, raw)
    }
    this.#record(raw, jsonTree(raw), described)
  }

  // As it stands first, since the next line like it will stand so too; then book by book; then as text.
  #record(raw: Uint8Array, root: JsonNode, described: DescribedMessage): void {
    if (this.#tryForm(raw, root, described)) return
    const parts = described.book?.list ? splitByBook(raw, root, described.book.list) : []
    if (parts.length > 1) {
      for (const part of parts) this.#message(part, jsonTree(part))
      return
    }
    const value = JSON.parse(new TextDecoder().decode(raw)) as Record<string, unknown>
    const record = described.envelopeType === null ? root : childOf(root, described.msg)!
    const uneven = encoder.encode(unevenText(compactJson(raw, record), value, described))
    const form = compileForm(
      uneven,
      jsonTree(uneven),
      describeUneven(described),
      !Number.isNaN(this.receivedMs),
      UNEVEN_TEXT,
    )
    form.shape.parts = [{ slot: 0 }]
    form.shapeKey += ' uneven'
    if (!this.#parser.emitParsed(form, uneven, this.receivedMs))
      this.#sink.reject('the message cannot be taken apart', raw)
  }

  // A form is only learnt from text that lines can repeat: as it stands, and without escapes.
  #tryForm(raw: Uint8Array, root: JsonNode, described: DescribedMessage): boolean {
    try {
      if (!raw.includes(BACKSLASH)) {
        const form = compileForm(raw, root, described, !Number.isNaN(this.receivedMs))
        if (this.#parser.emitParsed(form, raw, this.receivedMs)) {
          this.#parser.learnForm(form)
          return true
        }
      }
      const compact = encoder.encode(compactJson(raw, root))
      const form = compileForm(compact, jsonTree(compact), described, !Number.isNaN(this.receivedMs))
      return this.#parser.emitParsed(form, compact, this.receivedMs)
    } catch (error) {
      if (error instanceof UnevenMessage) return false
      throw error
    }
  }
}

/** One message text for each book of the list, in order of first appearance. */
function splitByBook(raw: Uint8Array, root: JsonNode, list: string): Uint8Array[] {
  const entries = childOf(root, list)
  if (root.type !== 'object' || entries?.type !== 'array') return []
  const byBook = Map.groupBy(entries.children, (entry) => {
    const book = childOf(entry, 'asset_id')
    return book === undefined ? '' : compactJson(raw, book)
  })
  return [...byBook.values()].map((children) => {
    const listAt = root.keys.lastIndexOf(list)
    const kept = root.children.map((child, i) => (i === listAt ? { ...entries, children } : child))
    return encoder.encode(compactJson(raw, { ...root, children: kept }))
  })
}

const isNoRecord = (described: DescribedMessage | NoRecord): described is NoRecord =>
  'skip' in described || 'reject' in described
