// Finds the archive of a printed line. The line's `source` names the archive; the user's own lines have no `source`.

import { SOURCE_NAME } from '../../../storage/format/shape.ts'
import { type JsonObject, quoted } from '../described-message.ts'

export const SOURCE_KEY = 'source'

/** Returns the source of a line, or why the line is rejected. `captured` is the archive of the capture, and is the
 *  source of a line that names none. `captured` is undefined for a capture of the user's own lines. A `source` of null
 *  counts as absent, because tables write absent keys as null. */
export function printedSource(
  { [SOURCE_KEY]: named = null }: JsonObject,
  captured: string | undefined,
): { source: string | undefined } | { reject: string } {
  if (named === null) return { source: captured }
  if (typeof named !== 'string' || !SOURCE_NAME.test(named)) {
    const printed = typeof named === 'string' ? named : JSON.stringify(named)
    return {
      reject: `source must be up to 64 lower case letters, digits, points or dashes, not "own", got ${quoted(printed)}`,
    }
  }
  if (captured === undefined || named === captured) return { source: named }
  return { reject: `the line is of the source ${quoted(named)}, and the capture is loaded as of ${quoted(captured)}` }
}
