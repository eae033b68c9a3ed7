// Schemas of what backbook reads in Stripe's events. A signature proves who sent a body, not that the body is an event.

import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const text = Type.String()
const seconds = Type.Integer({ minimum: 0, maximum: 1e11 })
const reference = Type.Union([text, Type.Object({ id: text })])
const metadata = Type.Record(Type.String(), text)

const event = Type.Object({ id: text, type: text, created: seconds, data: Type.Object({ object: Type.Object({}) }) })
const session = Type.Object({
  mode: text,
  customer: Type.Optional(Type.Union([reference, Type.Null()])),
  metadata: Type.Optional(Type.Union([metadata, Type.Null()])),
})
const period = Type.Partial(Type.Object({ current_period_start: seconds, current_period_end: seconds }))
const item = Type.Composite([Type.Object({ price: Type.Object({ id: text }) }), period])
const subscription = Type.Composite([
  Type.Object({ id: text, customer: reference, status: text, created: seconds, metadata }),
  Type.Object({ items: Type.Object({ data: Type.Array(item) }) }),
  period,
])

export const isEvent = (value: unknown) => Value.Check(event, value)
export const isSession = (value: unknown) => Value.Check(session, value)
export const isSubscription = (value: unknown) => Value.Check(subscription, value)
