import {
  createContext,
  startTransition,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
  type ReactNode,
} from 'react'
import { directionOf, languageOf, LANGUAGES, type Language } from '../../../domain/language.ts'
import { writePreference } from '../preferences.ts'
import type { Words } from './en.ts'

const LOADERS: Record<Language, () => Promise<Words>> = {
  en: async () => (await import('./en.ts')).en,
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
  fr: async () => (await import('./fr.ts')).fr,
  pt: async () => (await import('./pt.ts')).pt,
  ar: async () => (await import('./ar.ts')).ar,
}

/** Loads the words of a language; each language is a module of its own. */
export const loadWords = (language: Language): Promise<Words> => LOADERS[language]()

/** The language of the document, which the server or `appearance.ts` has set. */
export const documentLanguage = (): Language =>
  languageOf(document.documentElement.lang) ?? LANGUAGES[0]

interface Locale {
  language: Language
  words: Words
  /** Changes the language of the page and keeps the choice. */
  choose: (language: Language) => Promise<void>
}

const LocaleContext = createContext<Locale | null>(null)

interface Props {
  initial: { language: Language; words: Words }
  children: ReactNode
}

/** Gives the words to all below. */
export function WordsProvider({ initial, children }: Props) {
  const [{ language, words }, setLocale] = useState(initial)
  const choose = useCallback(async (chosen: Language) => {
    const loaded = await loadWords(chosen)
    writePreference('language', chosen)
    // The page stays as it is until the words of its area are loaded too.
    startTransition(() => setLocale({ language: chosen, words: loaded }))
  }, [])
  useEffect(() => {
    document.documentElement.lang = language
    document.documentElement.dir = directionOf(language)
  }, [language])
  const locale = useMemo(() => ({ language, words, choose }), [language, words, choose])
  return <LocaleContext value={locale}>{children}</LocaleContext>
}

/** The language of the page and how to change it. */
export function useLocale(): Locale {
  const locale = use(LocaleContext)
  if (!locale) throw new Error('WordsProvider is missing')
  return locale
}

export const useWords = (): Words => useLocale().words
