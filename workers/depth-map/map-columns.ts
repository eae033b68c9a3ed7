// The columns of a depth map in Arrow. In a file of their own, because the server does not load the encoder.

export const MAP_COLUMNS = ['price', 'sizes'] as const
