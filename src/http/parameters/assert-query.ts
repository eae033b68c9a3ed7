// Checks a query against its schema where the framework does not.

import type { TObject } from '@sinclair/typebox'
import { type FieldError, parametersInvalid } from '../server/request-failure.ts'
import { isParameter, refusedBy, requiredAs, unknownParameter } from './parameter.ts'

/** Throws RequestFailure, which names every invalid parameter. All parameters are texts. */
export function assertQuery({ properties, required = [] }: TObject, query: Readonly<Record<string, unknown>>): void {
  const known = Object.keys(properties)
  const errors: FieldError[] = Object.keys(query)
    .filter((field) => !known.includes(field))
    .map((field) => ({ field, message: unknownParameter(known) }))
  for (const [field, schema] of Object.entries(properties)) {
    if (!isParameter(schema)) continue
    const given = query[field]
    if (given === undefined) {
      if (required.includes(field)) errors.push({ field, message: requiredAs(schema.accepts) })
    } else if (typeof given !== 'string' || !schema.matches(given)) {
      errors.push({ field, message: refusedBy(schema, given) })
    }
  }
  if (errors.length > 0) throw parametersInvalid(errors)
}
