// Reads the archive of a printed line from its `source`, which the user's own lines do not have.

import { SOURCE_NAME } from '../../../storage/format/shape.ts'
import { type JsonObject, quoted } from '../described-message.ts'

export const SOURCE_KEY = 'source'

/** Returns the source of a line. `captured` is the archive of the capture; undefined for the user's own. Tables print
 *  an absent key as null. */
export function printedSource(
  { [SOURCE_KEY]: named = null }: JsonObject,
  captured: string | undefined,
): { source: string | undefined } | { reject: string } {
  if (named === null) return { source: captured }
  if (typeof named !== 'string' || !SOURCE_NAME.test(named)) {
    const printed = typeof named === 'string' ? named : JSON.stringify(named)
    return { reject: `${quoted(printed)} is no source: up to 64 lower case letters, digits, points and dashes` }
  }
  if (captured === undefined || named === captured) return { source: named }
  return { reject: `the line is of the source ${quoted(named)}, and the capture is loaded as of ${quoted(captured)}` }
}
