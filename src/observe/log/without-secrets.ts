// Removes secrets from a line before it is written: the secrets of the configuration, and everything that has the form
// of a secret. The program logs no secrets, but messages of libraries repeat addresses, and clients choose paths.

const REPLACEMENT = '[secret]'

const FORMS: readonly [RegExp, string][] = [
  // API keys, and Stripe's keys and signing secrets. In a URL they may follow an encoded character such as %20.
  [/bb_[A-Za-z0-9_-]{43}/g, REPLACEMENT],
  [/(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2}))(?:(?:sk|rk)_[A-Za-z0-9_]{8,}|whsec_[A-Za-z0-9_+/=-]{8,})/g, REPLACEMENT],
  // A ticket in the query of a path.
  [/([?&]ticket=)[A-Za-z0-9_-]+/g, `$1${REPLACEMENT}`],
  // The password of an address such as postgres://user:password@host/database. It may hold an @.
  [/(:\/\/[^\s/:@"'\\]*):[^\s/"'\\]+@/g, `$1:${REPLACEMENT}@`],
  // An authorization header that a client's or library's message repeats.
  [/(bearer|basic)(?: |%20|\+)+[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${REPLACEMENT}`],
]

/** Returns a function that removes secrets from a line. Ignores known secrets of fewer than 8 characters, which may be
 *  ordinary words. */
export function secretRemover(secrets: readonly (string | null)[]): (line: string) => string {
  const known = secrets.filter((secret) => secret !== null && secret.length >= 8) as string[]
  // The forms of the known secrets in plain text, in JSON and in a URL.
  const spellings = known.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
  return (line) => {
    let clean = line
    for (const spelling of spellings) clean = clean.replaceAll(spelling, REPLACEMENT)
    for (const [form, replacement] of FORMS) clean = clean.replace(form, replacement)
    return clean
  }
}
