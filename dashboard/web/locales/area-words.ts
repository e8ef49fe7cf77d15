import { use } from 'react'
import type { Language } from '../../../domain/language.ts'
import { documentLanguage, useLocale } from './words.tsx'

const underWay = new Set<Promise<unknown>>()

/** Resolves when the words of the areas that are loaded so far are there: what is shown then suspends for none. */
export const areaWordsLoaded = (): Promise<unknown> => Promise.allSettled(underWay)

/**
 * Returns the hook that gives the words of one area. Each language is a module of its own, which is loaded
 * with the first page of the area; until then the page suspends. React shows what was suspended only 300 ms later, so the
 * language of the page is asked for at once.
 */
export function areaWords<T>(loaders: Record<Language, () => Promise<T>>): () => T {
  const loading = new Map<Language, Promise<T>>()
  const load = (language: Language): Promise<T> => {
    const known = loading.get(language)
    if (known) return known
    const words = loaders[language]()
    loading.set(language, words)
    // As React marks what it has waited for: `use` returns it without suspending.
    const kept = words.then((value) => Object.assign(words, { status: 'fulfilled', value }))
    underWay.add(kept)
    kept.catch(() => {}).finally(() => underWay.delete(kept))
    return words
  }
  void load(documentLanguage()).catch(() => {})
  return function useAreaWords() {
    const { language } = useLocale()
    return use(load(language))
  }
}
