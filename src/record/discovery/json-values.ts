// Reads values of JSON that a venue's REST gave, without trusting their types.

import { isObject, type JsonObject } from '../../../workers/venues/described-message.ts'

export const objectsIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The texts under a key of these objects. */
export const textsUnder = (objects: readonly JsonObject[], key: string): string[] =>
  objects.map((each) => each[key]).filter((value) => typeof value === 'string')

/** Undefined for a text that is no JSON, or no object. */
export function parsedObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Equal for values that print the same. */
export const fingerprint = (values: readonly unknown[]): string => Bun.hash(JSON.stringify(values)).toString(36)
