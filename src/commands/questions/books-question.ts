// Options for one market or several: `--market` with a list, or `--event`.

import type { Command } from 'commander'
import { CommandError, EXIT } from '../terminal/program.ts'
import { MARKET_WORDS, type MarketlessOptions, type Question, questionOf, venueOption } from './market-question.ts'

export type BooksOptions = MarketlessOptions & { event?: string }

export const addBooks = (command: Command): Command =>
  command
    .addOption(venueOption().makeOptionMandatory())
    .option('--market <id>', `${MARKET_WORDS}; or up to 200 with commas between, on Polymarket each CONDITION:ASSET`)
    .option(
      '--event <event>',
      'instead of --market, all markets of an event: its ticker on Kalshi, its slug on Polymarket',
    )

/** Throws CommandError if both or neither of market and event are given. */
export function isAboutMany({ market, event }: BooksOptions): boolean {
  if (market === undefined && event === undefined) {
    throw new CommandError('--market is required unless --event is given', EXIT.usage)
  }
  if (market !== undefined && event !== undefined) {
    throw new CommandError('--event cannot be combined with --market', EXIT.usage)
  }
  return market === undefined || /[,:]/.test(market)
}

/** `names` are the parameters of the endpoint about one book. Throws CommandError. */
export function questionOfMany({ event, ...options }: BooksOptions, names: readonly string[]): Question {
  const { parameters, path, query } = questionOf(options, names)
  const { [parameters.idParameter]: books, ...others } = query
  const selection = event === undefined ? { [parameters.listParameter]: books } : { event }
  return { parameters, path, query: { ...others, ...selection } as Question['query'] }
}
