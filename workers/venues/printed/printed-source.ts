// The archive that a printed line is of: its `source`, which the user's own lines lack.

import { SOURCE_NAME } from '../../../storage/format/shape.ts'
import { type JsonObject, quoted } from '../described-message.ts'

export const SOURCE_KEY = 'source'

/** The source of a line in a capture of the archive `captured`, or of the user's own where that is undefined. Null is
 *  how tables say that a key is absent. */
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
