// Answers of the slug lookup.

import { Type } from '@sinclair/typebox'
import { named, orNull, text } from '../openapi/field.ts'
import { EXAMPLES } from '../questions/market-fields.ts'

const SLUG = 'demo-highest-temperature-in-springfield-on-july-20-2026'
const TITLE = 'Demo: highest temperature in Springfield on July 20 2026?'
const QUESTION = 'Demo: will the highest temperature in Springfield be 80-84°F on July 20 2026?'

const slugMarket = named('SlugMarket', 'A Polymarket market', {
  question: text('What it is about', QUESTION),
  conditionId: text('Its condition_id, with 0x and in lower case', EXAMPLES.polymarket.market),
  slug: text('Its own slug', `${SLUG}-80-84f`),
  asset_ids: Type.Array(Type.String(), { description: 'Its outcome tokens: each is an asset_id' }),
  outcomes: Type.Array(Type.String(), { description: 'What the tokens stand for, by position' }),
})

export const slugAnswer = named('SlugLookup', 'The markets behind a slug', {
  slug: text('The requested slug', SLUG),
  event: orNull(
    Type.Object(
      { slug: text("The event's slug", SLUG), title: text("The event's title", TITLE) },
      { description: 'The event of the markets; null if it is not known' },
    ),
  ),
  markets: Type.Array(slugMarket, { description: "All markets of an event's slug; one market for a market's slug" }),
})
