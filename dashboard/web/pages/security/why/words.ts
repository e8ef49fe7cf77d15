import { areaWords } from '../../../locales/area-words.ts'
import type { WhyWords } from './locales/en.ts'

/** The words of the page that says why a video did not play, with the sentences of all causes. */
export const useWhyWords = areaWords<WhyWords>({
  en: async () => (await import('./locales/en.ts')).en,
  de: async () => (await import('./locales/de.ts')).de,
  es: async () => (await import('./locales/es.ts')).es,
  fr: async () => (await import('./locales/fr.ts')).fr,
  pt: async () => (await import('./locales/pt.ts')).pt,
  ar: async () => (await import('./locales/ar.ts')).ar,
})
