// Prints what a test needs and this machine lacks. The test run collects these lines and repeats them at its end.

export const MISSING = 'skipped, missing: '

const named = new Set<string>()

/** Returns `isHere`. If it is false, prints `what`: what is missing, and how to get it. Prints each text once. */
export function isPresent(isHere: boolean, what: string): boolean {
  if (!isHere && !named.has(what)) console.log(`${MISSING}${what}`)
  named.add(what)
  return isHere
}
