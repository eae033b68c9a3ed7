// What is known to be damaged of a store's index, in memory that the threads of a process share: one of them finds it,
// all of them refuse what lies there from then on.

import { type PageFault, wholeTree } from './page-fault.ts'

/** Odd while it is written; how many bytes of text follow. */
const [VERSION, LENGTH, FIELDS] = [0, 1, 2] as const
const HEAD_BYTES = FIELDS * Int32Array.BYTES_PER_ELEMENT
/** Some thousand faults. It takes room when it is written to. */
const MEMORY_BYTES = 1 << 20

export class SharedFaults {
  readonly memory: SharedArrayBuffer
  readonly #head: Int32Array
  readonly #text: Uint8Array
  #seen = 0

  /** Without `memory`, the first. */
  constructor(memory = new SharedArrayBuffer(MEMORY_BYTES)) {
    this.memory = memory
    this.#head = new Int32Array(memory, 0, FIELDS)
    this.#text = new Uint8Array(memory, HEAD_BYTES)
  }

  /** All that are known, where there are others than the last time; costs nothing where there are not. */
  news(): PageFault[] | undefined {
    const version = Atomics.load(this.#head, VERSION)
    if (version === this.#seen || version % 2 === 1) return undefined
    const faults = this.#read()
    // Written meanwhile: the next call sees it.
    if (Atomics.load(this.#head, VERSION) !== version) return undefined
    this.#seen = version
    return faults
  }

  /** Adds what is not known yet. Not in two threads at once. */
  add(faults: PageFault[]): void {
    const known = this.#read()
    const names = new Set(known.map(nameOf))
    const added = faults.filter((fault) => !names.has(nameOf(fault)))
    if (added.length === 0) return
    const text = this.#fitting([...known, ...added])
    Atomics.add(this.#head, VERSION, 1)
    this.#text.set(text)
    this.#head[LENGTH] = text.length
    Atomics.add(this.#head, VERSION, 1)
  }

  #read(): PageFault[] {
    const length = this.#head[LENGTH]!
    if (length === 0) return []
    return (JSON.parse(Buffer.from(this.#text.slice(0, length)).toString()) as WrittenFault[]).map(readFault)
  }

  // More than there is room for is damage of whole trees.
  #fitting(faults: PageFault[]): Uint8Array {
    const text = Buffer.from(JSON.stringify(faults.map(writtenFault)))
    if (text.length <= this.#text.length) return text
    const trees = new Map(faults.map(({ tree, page, what }) => [tree, wholeTree(tree, page, what)]))
    return Buffer.from(JSON.stringify([...trees.values()].map(writtenFault)))
  }
}

type KeyName = 'from' | 'to' | 'before' | 'after'
type WrittenFault = Omit<PageFault, KeyName> & Record<KeyName, string | null>

const nameOf = ({ tree, page, what, from }: PageFault) => `${tree} ${page} ${what} ${from?.toString('base64')}`

const writtenFault = ({ from, to, before, after, ...rest }: PageFault): WrittenFault => ({
  ...rest,
  ...{ from: writtenKey(from), to: writtenKey(to), before: writtenKey(before), after: writtenKey(after) },
})

const readFault = ({ from, to, before, after, ...rest }: WrittenFault): PageFault => ({
  ...rest,
  ...{ from: readKey(from), to: readKey(to), before: readKey(before), after: readKey(after) },
})

const writtenKey = (key: Buffer | null) => key?.toString('base64') ?? null
const readKey = (text: string | null) => (text === null ? null : Buffer.from(text, 'base64'))
