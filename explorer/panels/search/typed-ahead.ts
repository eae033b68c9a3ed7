// What a reader types between asking for the search and the moment its field is there: kept for the field, and kept
// from the page, where each letter would be a key that does something.

export class TypedAhead {
  text = ''
  /** Whether Enter came last: to be done once the text has been answered. */
  hasEnter = false

  /** Whether the key was one to keep. Editing what nobody sees yet is no more than taking back the last letter. */
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
