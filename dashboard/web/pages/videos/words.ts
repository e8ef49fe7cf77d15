import { areaWords } from '../../locales/area-words.ts'
import type { VideosWords } from './locales/en.ts'

/** The words of the pages of videos. */
export const useVideosWords = areaWords<VideosWords>({
  en: async () => (await import('./locales/en.ts')).en,
  de: async () => (await import('./locales/de.ts')).de,
  es: async () => (await import('./locales/es.ts')).es,
  fr: async () => (await import('./locales/fr.ts')).fr,
  pt: async () => (await import('./locales/pt.ts')).pt,
  ar: async () => (await import('./locales/ar.ts')).ar,
})
