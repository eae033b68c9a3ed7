// Whether the reader has just opened the messages. If so, the page scrolls to the messages once they have loaded. A
// link that shows the messages does not scroll.

let isRequested = false

export const askForMessages = (): void => {
  isRequested = true
}

export function wereMessagesRequested(): boolean {
  const was = isRequested
  isRequested = false
  return was
}
