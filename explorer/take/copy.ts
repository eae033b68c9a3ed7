// Copies text to the clipboard.

/** Copies a text. A page served over plain HTTP from another machine has no clipboard API: there, selects the text and
 *  copies it with a browser command. `within` is the element that has the focus, such as a dialog. */
export async function copyText(text: string, within: Element = document.body): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    field.className = 'unseen'
    within.append(field)
    field.select()
    document.execCommand('copy')
    field.remove()
  }
}
