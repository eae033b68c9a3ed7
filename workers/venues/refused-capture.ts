// Thrown for a capture that must not be loaded, because its records would be wrong. The message completes "it is not
// loaded: …".

export class RefusedCapture extends Error {}
