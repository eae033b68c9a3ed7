// Collects what the reader types between opening the search and the appearance of its field. The letters go to the
// field, and not to the page, where each would be a shortcut.

export class TypedAhead {
  text = ''
  /** Whether Enter was the last key. Enter takes effect once the answer to the text has arrived. */
  hasEnter = false

  /** Collects a character, Backspace or Enter, and returns true; returns false for other keys. Backspace is the only
   *  editing key that works: nobody sees the text yet. */
  press(key: string): boolean {
    if (key === 'Enter') {
      this.hasEnter = true
      return true
    }
    if (key !== 'Backspace' && [...key].length !== 1) return false
    this.text = key === 'Backspace' ? [...this.text].slice(0, -1).join('') : this.text + key
    this.hasEnter = false
    return true
  }
}
