// Chart colours for the dark and the light theme. A canvas cannot read CSS custom properties, so the colours shared
// with styles/page.css are repeated here.

import { isDark } from '../../state/theme.ts'

const DARK = {
  ground: '#0b0e14',
  text: '#98a2b3',
  strong: '#e4e8ef',
  grid: '#ffffff14',
  hatch: '#ffffff1f',
  halo: '#0b0e14c0',
  veil: '#0b0e14b8',
  tag: '#2b3444',
  crosshair: '#ffffff90',
  cursor: '#ffd54a',
  bid: '#6db8ff',
  ask: '#ffab5c',
  mid: '#c9d3e3',
  up: '#2fd6a0',
  down: '#ff6f86',
  noSide: '#c9d3e3',
  bar: '#6f7f99',
  warning: '#ffd166',
}
const LIGHT: typeof DARK = {
  ground: '#ffffff',
  text: '#5a6270',
  strong: '#14181f',
  grid: '#00000014',
  hatch: '#00000024',
  halo: '#ffffffc8',
  veil: '#e4e8eec0',
  tag: '#dfe4ec',
  crosshair: '#00000090',
  cursor: '#8a6100',
  bid: '#0d5fc2',
  ask: '#b35309',
  mid: '#2a3342',
  up: '#008563',
  down: '#d11a45',
  noSide: '#4a5362',
  bar: '#8592a6',
  warning: '#8a5a00',
}

export type Colours = typeof DARK

/** Returns the colours of the current theme. Reads a signal: a component that calls it is drawn again when the theme
 *  changes. */
export const colours = (): Colours => (isDark.value ? DARK : LIGHT)
