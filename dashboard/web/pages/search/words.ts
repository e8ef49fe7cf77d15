import { areaWords } from '../../locales/area-words.ts'
import type { SearchWords } from './locales/en.ts'

/** The words of the search in captions. */
export const useSearchWords = areaWords<SearchWords>({
  en: async () => (await import('./locales/en.ts')).en,
  de: async () => (await import('./locales/de.ts')).de,
  es: async () => (await import('./locales/es.ts')).es,
  fr: async () => (await import('./locales/fr.ts')).fr,
  pt: async () => (await import('./locales/pt.ts')).pt,
  ar: async () => (await import('./locales/ar.ts')).ar,
})
