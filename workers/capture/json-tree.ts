// Parses JSON text into a tree of byte ranges. Values keep their place in the text, so that a number or a string can be
// stored as it was printed. Only new forms of messages need a tree; known forms are matched without one.

export type JsonNode =
  | { type: 'object'; start: number; end: number; keys: string[]; children: JsonNode[] }
  | { type: 'array'; start: number; end: number; children: JsonNode[] }
  | { type: 'string' | 'number' | 'literal'; start: number; end: number }

/** How deep a line may nest. A stored record that is read back to be merged has an envelope and other values around it,
 *  so it may nest a few levels deeper. */
const LINE_DEPTH_MAX = 512
const DEPTH_MAX = LINE_DEPTH_MAX + 8
/** How many values a line may have. Each takes hundreds of bytes of memory while the line is parsed. */
const LINE_VALUES_MAX = 8_000_000
/** One decoder for all texts, because a message may have a million keys. */
const decoder = new TextDecoder()

/** Returns the tree of a text that JSON.parse has accepted: this function does not check the grammar. Throws RangeError
 *  if the text nests too deep. */
export function jsonTree(text: Uint8Array): JsonNode {
  return new TreeReader(text, DEPTH_MAX, Number.POSITIVE_INFINITY).value()
}

/** Returns the tree of a capture's line, as `jsonTree` does. Throws RangeError if the line nests too deep or has too
 *  many values. */
export function lineTree(text: Uint8Array): JsonNode {
  return new TreeReader(text, LINE_DEPTH_MAX, LINE_VALUES_MAX).value()
}

/** Returns the text without white space outside strings. Strings with escapes are written as JSON.stringify writes
 *  them. */
export function compactJson(text: Uint8Array, node: JsonNode): string {
  if (node.type === 'object') {
    return `{${node.children.map((child, i) => `${JSON.stringify(node.keys[i])}:${compactJson(text, child)}`).join(',')}}`
  }
  if (node.type === 'array') return `[${node.children.map((child) => compactJson(text, child)).join(',')}]`
  const printed = decoder.decode(text.subarray(node.start, node.end))
  return node.type === 'string' && printed.includes('\\') ? JSON.stringify(JSON.parse(printed)) : printed
}

/** Returns an object without some of its keys. Also removes them from the object under `msg`. */
export function withoutKeys(node: JsonNode, excluded: ReadonlySet<string>): JsonNode {
  if (node.type !== 'object') return node
  const places = node.keys.flatMap((key, i) => (excluded.has(key) ? [] : [i]))
  const children = places.map((i) => {
    const child = node.children[i]!
    return node.keys[i] === 'msg' ? withoutKeys(child, excluded) : child
  })
  return { ...node, keys: places.map((i) => node.keys[i]!), children }
}

/** Returns the child of an object under a key. If the key occurs twice, the last one counts, as in JSON.parse. */
export function childOf(node: JsonNode, key: string): JsonNode | undefined {
  if (node.type !== 'object') return undefined
  return node.children[node.keys.lastIndexOf(key)]
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

class TreeReader {
  readonly #text: Uint8Array
  readonly #depthMax: number
  readonly #valuesMax: number
  #at = 0
  #depth = 0
  #valueCount = 0

  constructor(text: Uint8Array, depthMax: number, valuesMax: number) {
    this.#text = text
    this.#depthMax = depthMax
    this.#valuesMax = valuesMax
  }

  value(): JsonNode {
    if (++this.#valueCount > this.#valuesMax) throw new RangeError(`it has more than ${this.#valuesMax} values`)
    this.#skipSpace()
    const start = this.#at
    const byte = this.#text[start]
    if (byte === 0x7b || byte === 0x5b) {
      if (++this.#depth > this.#depthMax) throw new RangeError(`it nests deeper than ${this.#depthMax}`)
      const node = byte === 0x7b ? this.#object(start) : this.#array(start)
      this.#depth--
      return node
    }
    if (byte === QUOTE) {
      this.#skipString()
      return { type: 'string', start, end: this.#at }
    }
    while (this.#at < this.#text.length && !isDelimiter(this.#text[this.#at]!)) this.#at++
    const isLiteral = byte === 0x74 || byte === 0x66 || byte === 0x6e
    return { type: isLiteral ? 'literal' : 'number', start, end: this.#at }
  }

  #object(start: number): JsonNode {
    const keys: string[] = []
    const children: JsonNode[] = []
    this.#at++
    while (this.#nextItem(0x7d)) {
      const keyStart = this.#at
      this.#skipString()
      keys.push(JSON.parse(decoder.decode(this.#text.subarray(keyStart, this.#at))))
      this.#skipSpace()
      this.#at++ // the colon
      children.push(this.value())
    }
    return { type: 'object', start, end: this.#at, keys, children }
  }

  #array(start: number): JsonNode {
    const children: JsonNode[] = []
    this.#at++
    while (this.#nextItem(0x5d)) children.push(this.value())
    return { type: 'array', start, end: this.#at, children }
  }

  #nextItem(close: number): boolean {
    this.#skipSpace()
    if (this.#text[this.#at] === 0x2c) {
      this.#at++
      this.#skipSpace()
    }
    if (this.#text[this.#at] !== close) return true
    this.#at++
    return false
  }

  #skipString(): void {
    this.#at++
    while (this.#text[this.#at] !== QUOTE) this.#at += this.#text[this.#at] === BACKSLASH ? 2 : 1
    this.#at++
  }

  #skipSpace(): void {
    while (isSpace(this.#text[this.#at])) this.#at++
  }
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
const isDelimiter = (byte: number): boolean => byte === 0x2c || byte === 0x5d || byte === 0x7d || isSpace(byte)
