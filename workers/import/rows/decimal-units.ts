// Parses a decimal of an archive into a whole number of units. A unit is 1 in the last decimal place.

/** Returns the units: 49 for 0.49 with two places. Returns NaN if the text is not a plain decimal, or has too many
 *  digits. */
export function decimalUnits(text: string, places: number): number {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text) ?? []
  const significant = fraction.replace(/0+$/, '')
  if (sign === undefined || whole.length + fraction.length === 0 || significant.length > places) return Number.NaN
  const units = Number(`${sign}${whole}${significant.padEnd(places, '0')}`)
  return Number.isSafeInteger(units) ? units : Number.NaN
}
