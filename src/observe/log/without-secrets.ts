// Takes secrets out of a line before it is written: what has the form of one, and those that the configuration holds.
// Nothing is logged that should hold a secret; but messages of libraries repeat addresses, and paths are what clients
// say.

const PUT_FOR_IT = '[secret]'

const FORMS: readonly [RegExp, string][] = [
  // API keys, and keys and signing secrets of Stripe. In an address they may follow what stands for a character: %20.
  [/bb_[A-Za-z0-9_-]{43}/g, PUT_FOR_IT],
  [/(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2}))(?:(?:sk|rk)_[A-Za-z0-9_]{8,}|whsec_[A-Za-z0-9_+/=-]{8,})/g, PUT_FOR_IT],
  // The password of an address such as postgres://user:password@host/database. It may hold an @.
  [/(:\/\/[^\s/:@"'\\]*):[^\s/"'\\]+@/g, `$1:${PUT_FOR_IT}@`],
  // A header as a client's or a library's message repeats it.
  [/(bearer|basic)(?: |%20|\+)+[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${PUT_FOR_IT}`],
]

/** The secrets of the configuration; short ones are left out, since they might be any word. */
export function secretRemover(secrets: readonly (string | null)[]): (line: string) => string {
  const known = secrets.filter((secret) => secret !== null && secret.length >= 8) as string[]
  // As it stands in a line of JSON, and as it stands in an address.
  const spellings = known.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
  return (line) => {
    let clean = line
    for (const spelling of spellings) clean = clean.replaceAll(spelling, PUT_FOR_IT)
    for (const [form, replacement] of FORMS) clean = clean.replace(form, replacement)
    return clean
  }
}
