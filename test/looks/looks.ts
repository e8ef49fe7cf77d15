import type { BrowserContextOptions } from 'playwright-core'
import type { PlayerSettings } from '../../domain/settings/player-settings.ts'

/** How a player looks: what the owner has set, and what the viewer's system asks for. */
export interface Look {
  name: string
  settings: Pick<PlayerSettings, 'theme' | 'colors'>
  context: BrowserContextOptions
}

const black = '#000000'
const plain = { accent: '#4f8cff', background: black, text: '#ffffff' }

const look = (
  name: string,
  settings: Partial<Look['settings']> = {},
  context: BrowserContextOptions = {},
): Look => ({ name, settings: { theme: 'dark', colors: plain, ...settings }, context })

/** Rows of each contact sheet. The last two palettes are what owners should not choose. */
export const LOOKS: readonly Look[] = [
  look('dark'),
  look('light', { theme: 'light' }),
  look('forced colours', {}, { forcedColors: 'active', colorScheme: 'light' }),
  look('Arabic', {}, { locale: 'ar' }),
  look('forest', { colors: { accent: '#38a169', background: black, text: '#f0fff4' } }),
  look('rose, light', {
    theme: 'light',
    colors: { accent: '#d6336c', background: '#fff0f6', text: '#4a0d26' },
  }),
  look('amber', { colors: { accent: '#ffb703', background: '#1a1207', text: '#fff8e6' } }),
  look('yellow on white', {
    theme: 'light',
    colors: { accent: '#ffff00', background: '#ffffff', text: '#ffff66' },
  }),
  look('black on black', { colors: { accent: '#101010', background: black, text: '#1c1c1c' } }),
]

interface Size {
  width: number
  height: number
}

const WIDTHS = [200, 320, 640, 1280, 1920, 3840]

/** Columns of each contact sheet: landscape, then portrait. */
export const SIZES: readonly Size[] = [
  ...WIDTHS.map((width) => ({ width, height: Math.round((width * 9) / 16) })),
  ...WIDTHS.map((width) => ({ width, height: Math.round((width * 16) / 9) })),
]
