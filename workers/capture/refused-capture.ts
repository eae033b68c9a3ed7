// A capture that is not loaded at all, since its records would be wrong. The message completes "it is not loaded: …".

export class RefusedCapture extends Error {}

/** Throws RefusedCapture for a segment whose prices mean something else than those of other captures. */
export function checkSegment({ use_yes_price: usesYesPrice }: Readonly<Record<string, unknown>>): void {
  if (usesYesPrice === undefined || usesYesPrice === null || usesYesPrice === false) return
  throw new RefusedCapture(
    `its header says use_yes_price ${JSON.stringify(usesYesPrice)}, so its prices of NO are prices of YES: ` +
      'only segments with false can be loaded',
  )
}
