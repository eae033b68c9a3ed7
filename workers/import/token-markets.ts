// Finds the market of a Polymarket token for archives that do not state it: from the venue's metadata, else the one
// market that the user gave.

import type { Catalogue } from '../../storage/catalogue.ts'

/** A market has two outcomes. If there are more unknown tokens, they cannot all belong to the market that the user
 *  gave. */
const TOKENS_MAX = 2

export class TokenMarkets {
  readonly #catalogue: Pick<Catalogue, 'tokens'>
  readonly #chosen: ReadonlySet<string> | null
  readonly #taken = new Set<string>()
  #known: Map<string, string> | undefined
  #marketsKnown = new Set<string>()

  /** `chosen` has the markets to import; null for all. */
  constructor(catalogue: Pick<Catalogue, 'tokens'>, chosen: ReadonlySet<string> | null) {
    this.#catalogue = catalogue
    this.#chosen = chosen
  }

  /** Returns the market of a token; null if that market is not chosen, undefined if the market is unknown. */
  async of(token: string): Promise<string | null | undefined> {
    const chosen = this.#chosen
    const known = (await this.#tokens()).get(token)
    if (known !== undefined) return chosen === null || chosen.has(known) ? known : null
    if (chosen?.size !== 1) return undefined
    const [only] = chosen
    if (this.#marketsKnown.has(only!)) return null
    if (this.#taken.size === TOKENS_MAX && !this.#taken.has(token)) return undefined
    this.#taken.add(token)
    return only
  }

  async #tokens(): Promise<Map<string, string>> {
    if (this.#known === undefined) {
      this.#known = await this.#catalogue.tokens()
      this.#marketsKnown = new Set(this.#known.values())
    }
    return this.#known
  }
}
