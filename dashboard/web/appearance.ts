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

// The first formats take long, because the browser loads its data of languages for them. Here it waits for the app.
setTimeout(() => {
  new Intl.NumberFormat(root.lang)
  new Intl.DateTimeFormat(root.lang)
})
