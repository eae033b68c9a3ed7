// Whether the reader has just opened the messages: the page then scrolls to them once they have loaded. A link that
// shows them does not scroll.

let isRequested = false

export const askForMessages = (): void => {
  isRequested = true
}

export function wereMessagesRequested(): boolean {
  const was = isRequested
  isRequested = false
  return was
}
