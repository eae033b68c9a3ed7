// A decimal as an archive prints it, as whole units of its last digit.

/** 49 of two places for 0.49; NaN for what is no plain decimal, or has more digits than there is room for. */
export function decimalUnits(text: string, places: number): number {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text) ?? []
  const kept = fraction.replace(/0+$/, '')
  if (sign === undefined || whole.length + fraction.length === 0 || kept.length > places) return Number.NaN
  const units = Number(`${sign}${whole}${kept.padEnd(places, '0')}`)
  return Number.isSafeInteger(units) ? units : Number.NaN
}
