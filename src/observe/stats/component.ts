// A component of the service, as the status page shows it.

/** `idle`: nothing is stored yet, or the component is off on purpose. */
export type State = 'ok' | 'degraded' | 'down' | 'idle'
export type Component = { name: string; status: State; figures: Record<string, number | null> }
