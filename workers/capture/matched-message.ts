// Holds the places of a matched message's values in its bytes. The object is reused for each message.

const SLOTS_MAX = 512
const LISTS_MAX = 64

export class MatchedMessage {
  /** Place of the message itself in the bytes: [messageStart, messageEnd). */
  messageStart = 0
  messageEnd = 0
  /** End of the original text, if the message was made from another text; 0 if not. The original text starts where the
   *  message ends. */
  sourceEnd = 0
  /** Place of each slot's value. For a slot of a list: place of the value in the element matched last. */
  readonly starts = new Int32Array(SLOTS_MAX)
  readonly ends = new Int32Array(SLOTS_MAX)
  /** Number of the text in each slot, unique in this thread; 0 if unknown. */
  readonly texts = new Float64Array(SLOTS_MAX)
  /** False for a message without text. For such a message, `numbers` has all digits of each value as one integer, and
   *  `fractionDigits` the number of digits after the decimal point. If a slot's `fractionDigits` is -1, its value is in
   *  the bytes as usual. */
  hasText = true
  readonly numbers = new Float64Array(SLOTS_MAX)
  readonly fractionDigits = new Int8Array(SLOTS_MAX).fill(-1)
  /** Number of elements of each list, and the index of its first place in the element arrays. */
  readonly listLengths = new Int32Array(LISTS_MAX)
  readonly listBases = new Int32Array(LISTS_MAX)
  elementStarts = new Int32Array(1_024)
  elementEnds = new Int32Array(1_024)
  #elementCount = 0

  static fits(slotCount: number, listCount: number): boolean {
    return slotCount <= SLOTS_MAX && listCount <= LISTS_MAX
  }

  reset(): void {
    this.sourceEnd = 0
    this.#elementCount = 0
  }

  /** Number of element places in use, over all lists. */
  get elementCount(): number {
    return this.#elementCount
  }

  /** Makes room for `count` element places, which the caller fills in. */
  setElementCount(count: number): void {
    this.#elementCount = 0
    if (count > this.elementStarts.length) this.#grow(count)
    this.#elementCount = count
  }

  openList(list: number): void {
    this.listLengths[list] = 0
    this.listBases[list] = this.#elementCount
  }

  /** Stores the places just matched as the next element: one for each of the list's slots, in their order. */
  addElement(list: number, slots: number[]): void {
    if (this.#elementCount + slots.length > this.elementStarts.length) this.#grow(slots.length)
    for (let i = 0; i < slots.length; i++) {
      this.elementStarts[this.#elementCount] = this.starts[slots[i]!]!
      this.elementEnds[this.#elementCount] = this.ends[slots[i]!]!
      this.#elementCount++
    }
    this.listLengths[list]!++
  }

  /** Returns where the values of a list's slot are among the element places. `slots` are those of the message. */
  placesOf(
    slots: readonly { list: number }[],
    list: number,
    slot: number,
  ): { first: number; end: number; step: number } {
    const step = slots.reduce((count, each) => count + (each.list === list ? 1 : 0), 0)
    const first = this.listBases[list]! + slot - slots.findIndex((each) => each.list === list)
    return { first, end: first + this.listLengths[list]! * step, step }
  }

  #grow(needed: number): void {
    const length = Math.max(2 * this.elementStarts.length, this.#elementCount + needed)
    const starts = new Int32Array(length)
    starts.set(this.elementStarts)
    this.elementStarts = starts
    const ends = new Int32Array(length)
    ends.set(this.elementEnds)
    this.elementEnds = ends
  }
}
