// A capture that is not loaded at all, since its records would be wrong. The message completes "it is not loaded: …".

export class RefusedCapture extends Error {}
