// Runs before the first paint, so that the page never flashes in another colour scheme, language or direction.
import { directionOf, languageOf } from '../../domain/language.ts'
import { readPreference } from './preferences.ts'

const root = document.documentElement

const chosen = readPreference('colorScheme')
const isDark =
  chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
root.dataset.mantineColorScheme = isDark ? 'dark' : 'light'

// The server has chosen by the browser's languages.
const language = languageOf(readPreference('language') ?? '')
if (language) {
  root.lang = language
  root.dir = directionOf(language)
}
