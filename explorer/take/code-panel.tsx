// Shows the chosen request as code, and copies it.

import { useRef, useState } from 'preact/hooks'
import { OneOf } from '../panels/one-of.tsx'
import { codeOf, LANGUAGES, type Language } from './code.ts'
import { copyText } from './copy.ts'
import type { Format, Take } from './requests.ts'

const NAMES: Record<Language, string> = { curl: 'curl', python: 'Python', typescript: 'TypeScript' }
const SHOWN_MS = 2_000

export function CodePanel({ take, format, file }: { take: Take; format: Format; file: string }) {
  const [language, setLanguage] = useState<Language>('curl')
  const [hasCopied, setCopied] = useState(false)
  const place = useRef<HTMLElement>(null)
  const code = codeOf(language, { origin: location.origin, take, format, file })
  const copy = async () => {
    await copyText(code, place.current!)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return (
    <section class="take-code" ref={place} aria-label="As code">
      <div class="take-how">
        <OneOf label="Language" all={LANGUAGES} chosen={language} nameOf={(each) => NAMES[each]} choose={setLanguage} />
        <span>
          <span class="quiet" role="status">
            {hasCopied && 'Copied '}
          </span>
          <button type="button" onClick={copy}>
            Copy
          </button>
        </span>
      </div>
      <pre {...{ role: 'region', tabIndex: 0, 'aria-label': `${NAMES[language]} code` }}>{code}</pre>
      <p class="quiet">
        The code does not contain your key: it reads the key from <code>BACKBOOK_KEY</code>.
      </p>
    </section>
  )
}
