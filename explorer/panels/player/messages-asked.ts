// Whether the reader has just opened the messages: the page then scrolls to them once they have loaded. A link that
// shows them does not scroll.

let isAsked = false

export const askForMessages = (): void => {
  isAsked = true
}

export function wereMessagesAsked(): boolean {
  const was = isAsked
  isAsked = false
  return was
}
