// The type of a request handler: the app, and each layer around it.

export type Fetch = (request: Request) => Response | Promise<Response>
