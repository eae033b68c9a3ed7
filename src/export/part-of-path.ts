// Encodes ids for file names.

/** The letters, digits and few signs of market ids stay unchanged; a name of dots only would mean another folder. */
export const partOfPath = (id: string): string =>
  encodeURIComponent(id).replace(/^\.+$/, (dots) => dots.replaceAll('.', '%2E'))
