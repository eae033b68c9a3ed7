// Encodes ids for file names.

/** Encodes an id. The letters, digits and few signs of market ids stay unchanged. A name that consists only of dots is
 *  encoded, since it would mean another folder. */
export const partOfPath = (id: string): string =>
  encodeURIComponent(id).replace(/^\.+$/, (dots) => dots.replaceAll('.', '%2E'))
