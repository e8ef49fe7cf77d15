import type { PlayerData } from '../../player-data.ts'
import { readableColors } from '../colors/readable-colors.ts'

/** Applies the account's colours to the controls, adjusted so that they are readable. */
export function applyTheme(colors: PlayerData['colors']): void {
  const root = document.documentElement
  const light = matchMedia('(prefers-color-scheme: light)')
  const apply = (): void => {
    const { theme } = root.dataset
    const isLight = theme === 'light' || (theme === 'auto' && light.matches)
    const { surface, text, accent, onAccent } = readableColors(colors, isLight ? 'light' : 'dark')
    const values = { surface, text, accent, 'on-accent': onAccent, background: colors.background }
    for (const [name, value] of Object.entries(values)) root.style.setProperty(`--${name}`, value)
    root.dataset.surface = isLight ? 'light' : 'dark'
  }
  light.addEventListener('change', apply)
  apply()
}
