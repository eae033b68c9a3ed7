// Shows the outcome whose book is visible, and lets the reader choose another outcome of the market.

import { useEffect } from 'preact/hooks'
import { coverage, marketInfo } from '../data/answers.ts'
import { outcomesOf } from '../data/outcomes.ts'
import type { BookId } from '../state/view.ts'
import { Choice } from './choice.tsx'

/** `begin` is called with the market's first book if no book is chosen yet. */
type ChoiceProps = { label: string; book: BookId; begin: (book: BookId) => void; choose: (book: BookId) => void }

export function OutcomeChoice({ label, book, begin, choose }: ChoiceProps) {
  const outcomes = outcomesOf(book, marketInfo(book).value, coverage(book).value)
  const [first] = outcomes
  useEffect(() => {
    if (book.asset === null && first != null && first.id !== null) begin({ ...book, asset: first.id })
  })
  if (outcomes.length < 2) return null
  return (
    <Choice label={label} value={book.asset ?? ''} onChoose={(asset) => choose({ ...book, asset: asset || null })}>
      {outcomes.map(({ id, name }) => (
        <option key={id} value={id ?? ''}>
          {name}
        </option>
      ))}
    </Choice>
  )
}
