// Finds the scale of NO prices in a capture of a venue that has NO prices (Kalshi). With `use_yes_price`, a NO bid has
// the price of the matching YES ask. Without `use_yes_price`, a NO bid has one dollar minus the price of that YES ask.
// Messages do not state which scale they use.

import type { Shape } from '../../storage/format/shape.ts'
import { isObject, type JsonObject } from './described-message.ts'
import { RefusedCapture } from './refused-capture.ts'

/** Key of a printed record with NO prices on the YES scale. The value of the key is true. */
export const YES_SCALE_KEY = 'use_yes_price'

/** Returns whether a shape of a venue with NO prices gives a NO bid the price of the matching YES ask. */
export const isOnYesScale = ({ levels, changes }: Pick<Shape, 'levels' | 'changes'>): boolean =>
  changes?.isYesScale === true || levels.some(({ side, isComplement }) => side === 'ask' && !isComplement)

export type NoPrices = 'yes' | 'no'
/** The scale to assume for captures that do not state one. `snapshots`: snapshots decide. Undefined means `no`. */
export type GivenNoPrices = NoPrices | 'snapshots' | undefined

/** Thrown so that the caller reads the capture again from its start, on another scale. A caller that cannot do so
 *  refuses the capture. */
export class ReadAs extends RefusedCapture {
  readonly scale: NoPrices

  constructor(scale: NoPrices) {
    super(`its prices of NO are on the scale of ${scale.toUpperCase()}, which only a file of lines allows`)
    this.scale = scale
  }
}

/** Returns the scale that a segment's header states; undefined if it states none. Throws RefusedCapture if the value is
 *  not a boolean. */
export function noPricesOfSegment({ use_yes_price: stated }: JsonObject): NoPrices | undefined {
  if (stated === undefined || stated === null) return undefined
  if (typeof stated === 'boolean') return stated ? 'yes' : 'no'
  throw new RefusedCapture(`its header says use_yes_price ${JSON.stringify(stated)}, which must be true or false`)
}

/** Returns the scale that a recorder's subscribe command states; `default` if it subscribes to books and leaves the
 *  scale to the venue; undefined for anything else. */
export function noPricesOf({ cmd, params }: JsonObject): NoPrices | 'default' | undefined {
  if (cmd !== 'subscribe' || !isObject(params)) return undefined
  const { use_yes_price: stated, channels } = params
  if (typeof stated === 'boolean') return stated ? 'yes' : 'no'
  return Array.isArray(channels) && channels.includes('orderbook_delta') ? 'default' : undefined
}

/** Checks whether a capture is read on the right scale, while it is read. */
export class NoPriceScale {
  /** The scale on which the capture is read. */
  readonly read: NoPrices
  /** Whether snapshots may decide the scale; false if the user has set the scale. */
  readonly #isOpen: boolean
  #stated: NoPrices | undefined
  /** Whether a command leaves the scale to the venue. So far, the venue's default has been the NO scale. */
  #hasDefault = false
  /** Number of two-sided snapshots that would be crossed on each scale. */
  readonly #crossed = { yes: 0, no: 0 }

  constructor(read: NoPrices, isOpen: boolean) {
    this.read = read
    this.#isOpen = isOpen
  }

  /** Notes a scale that the capture states. Throws RefusedCapture if the capture states both scales, or both the YES
   *  scale and the venue's default. Throws ReadAs if the capture is being read on the other scale. */
  say(stated: NoPrices | 'default'): void {
    const before = this.#stated
    if (stated === 'default') this.#hasDefault = true
    else this.#stated = stated
    const isBoth = before !== undefined && before !== this.#stated
    if (isBoth || (this.#hasDefault && this.#stated === 'yes')) {
      const other = isBoth ? 'true and false' : 'true in one command and nothing in another'
      throw new RefusedCapture(`it says use_yes_price ${other}: cut it where that changes, and load both parts`)
    }
    if (stated !== 'default' && stated !== this.read) throw new ReadAs(stated)
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
    // The sum is of doubles, so a sum that should be one dollar may be slightly less.
    if (bestYes + highestNo >= 1 - 1e-9) this.#crossed.no++
  }

  /** Ends the capture. If snapshots decide the scale, throws the errors of `say`. */
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
