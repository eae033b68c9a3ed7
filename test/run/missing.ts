// What a test needs and this machine may lack. The run of the tests collects these lines and repeats them at its end.

export const MISSING = 'skipped, missing: '

const named = new Set<string>()

/** Returns `isHere`. Where it is false, names once what is missing, and how to get it. */
export function isPresent(isHere: boolean, what: string): boolean {
  if (!isHere && !named.has(what)) console.log(`${MISSING}${what}`)
  named.add(what)
  return isHere
}
