// Which market a token of Polymarket is of, for archives that do not say it: as the venue's metadata has it, else the
// one market that the user names.

import type { Catalogue } from '../../storage/catalogue.ts'

/** A market has two outcomes. More tokens that nothing is known of are not all of the market that the user names. */
const TOKENS_MAX = 2

export class TokenMarkets {
  readonly #catalogue: Pick<Catalogue, 'tokens'>
  readonly #chosen: ReadonlySet<string> | null
  readonly #taken = new Set<string>()
  #known: Map<string, string> | undefined
  #marketsKnown = new Set<string>()

  /** `chosen`: only these markets; null for all. */
  constructor(catalogue: Pick<Catalogue, 'tokens'>, chosen: ReadonlySet<string> | null) {
    this.#catalogue = catalogue
    this.#chosen = chosen
  }

  /** Null for one of a market that is not chosen, undefined where nothing tells it. */
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
