import { use } from 'react'
import type { Language } from '../../../domain/language.ts'
import { useSpeech } from './words.tsx'

/**
 * Returns the hook that gives the words of one area. Each language is a module of its own, which is loaded
 * with the first page of the area; until then the page suspends.
 */
export function areaWords<T>(loaders: Record<Language, () => Promise<T>>): () => T {
  const loaded = new Map<Language, Promise<T>>()
  return function useAreaWords() {
    const { language } = useSpeech()
    const words = loaded.get(language) ?? loaders[language]()
    loaded.set(language, words)
    return use(words)
  }
}
