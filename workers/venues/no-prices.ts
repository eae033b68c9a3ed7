// Finds the scale of NO prices in a capture of a venue that has them (Kalshi). With `use_yes_price`, the price of a NO bid is that of the YES ask
// it stands for; without it, one dollar minus that. Messages do not state which scale they use.

import { isObject, type JsonObject } from './described-message.ts'
import { RefusedCapture } from './refused-capture.ts'

export type NoPrices = 'yes' | 'no'
/** Scale of captures that do not state it; undefined means `no`. */
export type GivenNoPrices = NoPrices | 'snapshots' | undefined

/** Thrown to read the capture again from its start on another scale. A caller that cannot do so refuses the capture. */
export class ReadAs extends RefusedCapture {
  readonly scale: NoPrices

  constructor(scale: NoPrices) {
    super(`its prices of NO are on the scale of ${scale.toUpperCase()}, and only a file of lines can be read so`)
    this.scale = scale
  }
}

/** Returns the scale in a segment's header; undefined if it has none. Throws RefusedCapture if the value is not a
 *  boolean. */
export function noPricesOfSegment({ use_yes_price: stated }: JsonObject): NoPrices | undefined {
  if (stated === undefined || stated === null) return undefined
  if (typeof stated === 'boolean') return stated ? 'yes' : 'no'
  throw new RefusedCapture(`its header says use_yes_price ${JSON.stringify(stated)}, which must be true or false`)
}

/** Returns the scale in a subscribe command of a recorder; undefined for anything else. */
export function noPricesOf({ cmd, params }: JsonObject): NoPrices | undefined {
  if (cmd !== 'subscribe' || !isObject(params) || typeof params['use_yes_price'] !== 'boolean') return undefined
  return params['use_yes_price'] ? 'yes' : 'no'
}

/** Checks, while a capture is read on one scale, whether that is the right one. */
export class NoPriceScale {
  /** The scale on which the capture is read. */
  readonly read: NoPrices
  /** Whether snapshots may decide; false if the user has given the scale. */
  readonly #isOpen: boolean
  #stated: NoPrices | undefined
  /** Number of two-sided snapshots that would be crossed on each scale. */
  readonly #crossed = { yes: 0, no: 0 }

  constructor(read: NoPrices, isOpen: boolean) {
    this.read = read
    this.#isOpen = isOpen
  }

  /** Notes a scale that the capture states. Throws RefusedCapture if the capture states both, and ReadAs if it is read
   *  on the other. */
  say(stated: NoPrices): void {
    if (this.#stated !== undefined && stated !== this.#stated) {
      throw new RefusedCapture('it says use_yes_price true and false: cut it where that changes, and load both parts')
    }
    this.#stated = stated
    if (stated !== this.read) throw new ReadAs(stated)
  }

  static of(given: GivenNoPrices): NoPriceScale {
    return given === 'snapshots' ? new NoPriceScale('no', true) : new NoPriceScale(given ?? 'no', false)
  }

  get needsSnapshots(): boolean {
    return this.#isOpen && this.#stated === undefined
  }

  /** Notes a snapshot with levels on both sides: its best YES bid, and the lowest and highest price of its NO
   *  levels. */
  snapshot(bestYes: number, lowestNo: number, highestNo: number): void {
    if (bestYes >= lowestNo) this.#crossed.yes++
    // Sums of doubles: a sum that should be one dollar may be slightly less.
    if (bestYes + highestNo >= 1 - 1e-9) this.#crossed.no++
  }

  /** Ends the capture. Throws as `say` does if snapshots decide the scale. */
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
