// The only source of randomness of the synthetic day. It is seeded (sfc32), so the same seed gives the same bytes. All
// values derived from it use only integers and + - * / sqrt, because these are exact to the bit on every machine. exp,
// log and sin are not.

const WARM_UP_ROUNDS = 16

export class Random {
  #a: number
  #b: number
  #c: number
  #counter = 1

  /** Streams of the same seed are independent, so a change in one part of the day leaves the others unchanged. */
  constructor(seed: number, stream: string) {
    this.#a = seed >>> 0
    this.#b = Math.floor(seed / 2 ** 32) >>> 0
    this.#c = fnv1a(stream)
    for (let round = 0; round < WARM_UP_ROUNDS; round++) this.uint32()
  }

  uint32(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return sum >>> 0
  }

  /** Returns a number from 0, up to but not including 1. */
  fraction(): number {
    return this.uint32() / 2 ** 32
  }

  /** Returns an integer from 0 to `count` - 1. */
  below(count: number): number {
    return Math.floor(this.fraction() * count)
  }

  /** Returns an integer from `from` to `to`, both included. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1)
  }

  chance(share: number): boolean {
    return this.fraction() < share
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!
  }

  /** Returns a random number: usually far below the mean, rarely up to six times the mean. Activity in a market has
   *  this rhythm. */
  burst(mean: number): number {
    const u = this.fraction()
    return mean * 6 * u * u * u * u * u
  }

  /** Returns a number with mean 0 and variance 1, never beyond 3: a sum of three uniform numbers. */
  bell(): number {
    return (this.fraction() + this.fraction() + this.fraction() - 1.5) * 2
  }

  hex(digits: number): string {
    let text = ''
    while (text.length < digits) text += this.uint32().toString(16).padStart(8, '0')
    return text.slice(0, digits)
  }

  decimal(digits: number): string {
    let text = ''
    while (text.length < digits) text += this.below(1_000_000).toString().padStart(6, '0')
    return text.slice(0, digits)
  }

  /** Returns a version 4 UUID. */
  uuid(): string {
    const hex = this.hex(32)
    const variant = '89ab'[this.below(4)]
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
  }
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
