import type { Request } from 'express'
import { LRUCache } from 'lru-cache'
import { languageOf, LANGUAGES, type Language } from '../../domain/language.ts'

/** Returns the language of a page: the `lang` of its address, else the browser's preference. */
export function chooseLanguage(request: Request): Language {
  const { lang } = request.query
  const requested = typeof lang === 'string' ? languageOf(lang) : null
  return requested ?? preferredLanguage(request)
}

/** By Accept-Language. Browsers send few different values, and parsing one costs more than a look-up. */
const preferred = new LRUCache<string, Language>({ max: 1000 })
const CACHED_HEADER_MAX_LENGTH = 256

function preferredLanguage(request: Request): Language {
  const header = request.get('Accept-Language') ?? ''
  const known = preferred.get(header)
  if (known) return known
  const best = request.acceptsLanguages(...LANGUAGES)
  const language = (best === false ? null : languageOf(best)) ?? LANGUAGES[0]
  if (header.length <= CACHED_HEADER_MAX_LENGTH) preferred.set(header, language)
  return language
}
