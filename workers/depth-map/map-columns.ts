// The columns of a depth map in Arrow, apart from the encoder, which the server does not load.

export const MAP_COLUMNS = ['price', 'sizes'] as const
