// Puts text where the reader can paste it from.

/** A page over plain HTTP of another machine has no clipboard: then the text is selected and copied as if by
 *  hand. `within` is where the page has the focus, such as a dialog. */
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
