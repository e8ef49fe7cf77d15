import { areaWords } from '../../words/area-words.ts'
import type { OperatorWords } from './words/en.ts'

/** The words of the pages in this folder. */
export const useOperatorWords = areaWords<OperatorWords>({
  en: async () => (await import('./words/en.ts')).en,
  de: async () => (await import('./words/de.ts')).de,
  es: async () => (await import('./words/es.ts')).es,
  fr: async () => (await import('./words/fr.ts')).fr,
  pt: async () => (await import('./words/pt.ts')).pt,
  ar: async () => (await import('./words/ar.ts')).ar,
})
