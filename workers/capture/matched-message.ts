// Where the values of the message matched last stand in its bytes. One object is filled again and again.

const SLOTS_MAX = 512
const LISTS_MAX = 64

export class MatchedMessage {
  /** The message itself. */
  messageStart = 0
  messageEnd = 0
  /** Where the text that the message was made of ends, if it was made of one: it begins where the message ends; else
   *  0. */
  sourceEnd = 0
  /** Place of each slot's value; for a slot of a list, of the element matched last. */
  readonly starts = new Int32Array(SLOTS_MAX)
  readonly ends = new Int32Array(SLOTS_MAX)
  /** Which text a slot's value is, told apart from all others of this thread; 0 where that is not known. */
  readonly texts = new Float64Array(SLOTS_MAX)
  /** False for a message that was never printed. Its numbers stand here: all digits of each, and how many of these are
   *  behind the point. Where `digitsBehind` is -1, the slot's value stands in the bytes as always. */
  hasText = true
  readonly numbers = new Float64Array(SLOTS_MAX)
  readonly digitsBehind = new Int8Array(SLOTS_MAX).fill(-1)
  /** Elements of each list, and where its places begin in the element arrays. */
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

  /** Places of elements in use, of all lists together. */
  get elementCount(): number {
    return this.#elementCount
  }

  /** Makes room for so many places of elements, which the caller fills in. */
  setElementCount(count: number): void {
    this.#elementCount = 0
    if (count > this.elementStarts.length) this.#grow(count)
    this.#elementCount = count
  }

  openList(list: number): void {
    this.listLengths[list] = 0
    this.listBases[list] = this.#elementCount
  }

  /** Keeps the places just matched as the next element: one for each of the list's slots, in their order. */
  addElement(list: number, slots: number[]): void {
    if (this.#elementCount + slots.length > this.elementStarts.length) this.#grow(slots.length)
    for (let i = 0; i < slots.length; i++) {
      this.elementStarts[this.#elementCount] = this.starts[slots[i]!]!
      this.elementEnds[this.#elementCount] = this.ends[slots[i]!]!
      this.#elementCount++
    }
    this.listLengths[list]!++
  }

  /** Where the values of a list's slot stand among the places of elements, `slots` being those of the message. */
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
