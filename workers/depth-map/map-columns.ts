// The columns of a depth map in Arrow, apart from what writes them: the server loads no encoder.

export const MAP_COLUMNS = ['price', 'sizes'] as const
