// Reads JSON values from a venue's REST responses without trusting their types.

import { isObject, type JsonObject } from '../../../workers/venues/described-message.ts'

export const objectsIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Returns the strings under a key of the objects. */
export const textsUnder = (objects: readonly JsonObject[], key: string): string[] =>
  objects.map((each) => each[key]).filter((value) => typeof value === 'string')

/** Parses a JSON object. Returns undefined if the text is not JSON or not an object. */
export function parsedObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns a hash that is equal for values with the same JSON text. */
export const fingerprint = (values: readonly unknown[]): string => Bun.hash(JSON.stringify(values)).toString(36)
