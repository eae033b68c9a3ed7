// On which scale a capture of Kalshi has its prices of NO. With `use_yes_price` the price of a NO bid is that of the YES
// ask it stands for; without it, one dollar minus that. Messages do not say which it is.

import { isObject, type JsonObject } from '../described-message.ts'
import { RefusedCapture } from '../refused-capture.ts'

export type NoPrices = 'yes' | 'no'
/** Of captures that do not say it; `no` unless it is given. */
export type GivenNoPrices = NoPrices | 'snapshots' | undefined

/** The capture has to be read again from its beginning, by this scale. Who cannot do so refuses it. */
export class ReadAs extends RefusedCapture {
  readonly scale: NoPrices

  constructor(scale: NoPrices) {
    super(`its prices of NO are on the scale of ${scale.toUpperCase()}, and only a file of lines can be read so`)
    this.scale = scale
  }
}

/** What the header of a segment says of it. Throws RefusedCapture where that is nothing that is known. */
export function noPricesOfSegment({ use_yes_price: said }: JsonObject): NoPrices | undefined {
  if (said === undefined || said === null) return undefined
  if (typeof said === 'boolean') return said ? 'yes' : 'no'
  throw new RefusedCapture(`its header says use_yes_price ${JSON.stringify(said)}, which must be true or false`)
}

/** What a command that a recorder sent says of it; undefined for anything else. */
export function noPricesOf({ cmd, params }: JsonObject): NoPrices | undefined {
  if (cmd !== 'subscribe' || !isObject(params) || typeof params['use_yes_price'] !== 'boolean') return undefined
  return params['use_yes_price'] ? 'yes' : 'no'
}

/** Finds out, while a capture is read by one scale, whether that is the right one. */
export class NoPriceScale {
  /** By which the capture is read. */
  readonly read: NoPrices
  /** Whether snapshots may decide: not where the user has said which it is. */
  readonly #isOpen: boolean
  #said: NoPrices | undefined
  /** How many two-sided snapshots are crossed, if read so. */
  readonly #crossed = { yes: 0, no: 0 }

  constructor(read: NoPrices, isOpen: boolean) {
    this.read = read
    this.#isOpen = isOpen
  }

  /** Throws RefusedCapture where the capture says both, and ReadAs where it is read by the other. */
  say(said: NoPrices): void {
    if (this.#said !== undefined && said !== this.#said) {
      throw new RefusedCapture('it says use_yes_price true and false: cut it where that changes, and load both parts')
    }
    this.#said = said
    if (said !== this.read) throw new ReadAs(said)
  }

  static of(given: GivenNoPrices): NoPriceScale {
    return given === 'snapshots' ? new NoPriceScale('no', true) : new NoPriceScale(given ?? 'no', false)
  }

  get needsSnapshots(): boolean {
    return this.#isOpen && this.#said === undefined
  }

  /** A snapshot with levels on both sides: its best bid of YES, the lowest and the highest price of its NO levels. */
  snapshot(bestYes: number, lowestNo: number, highestNo: number): void {
    if (bestYes >= lowestNo) this.#crossed.yes++
    // Sums of doubles: what is a dollar may be a little less.
    if (bestYes + highestNo >= 1 - 1e-9) this.#crossed.no++
  }

  /** Nothing follows. Throws as `say`, where snapshots say it. */
  end(): void {
    const { yes, no } = this.#crossed
    if (!this.needsSnapshots || no === 0) return
    if (yes > 0) {
      throw new RefusedCapture(
        'nothing in it says use_yes_price, and it has crossed books whether prices of NO are on the scale of NO ' +
          `(${no}) or of YES (${yes}): say which they are with --kalshi-no-prices`,
      )
    }
    throw new ReadAs('yes')
  }
}
