// Ids in the names of files.

/** Ids of markets are letters, digits and a few signs, which stay; a name of dots alone would be another folder. */
export const partOfPath = (id: string): string =>
  encodeURIComponent(id).replace(/^\.+$/, (dots) => dots.replaceAll('.', '%2E'))
