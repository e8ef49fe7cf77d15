import type { Request } from 'express'
import { LRUCache } from 'lru-cache'
import { LANGUAGES, languageOf } from '../language.ts'
import type { Language } from '../language.ts'

/** The page's language: what `lang` in the address asks for, else what the browser prefers. */
export function chooseLanguage(request: Request): Language {
  const { lang } = request.query
  const asked = typeof lang === 'string' ? languageOf(lang) : null
  return asked ?? preferredLanguage(request)
}

/** By header: browsers send few different ones, and each takes longer to read than to look up. */
const preferred = new LRUCache<string, Language>({ max: 1000 })
const KEPT_HEADER_MAX_LENGTH = 256

function preferredLanguage(request: Request): Language {
  const header = request.get('Accept-Language') ?? ''
  const known = preferred.get(header)
  if (known) return known
  const best = request.acceptsLanguages(...LANGUAGES)
  const language = (best === false ? null : languageOf(best)) ?? LANGUAGES[0]
  if (header.length <= KEPT_HEADER_MAX_LENGTH) preferred.set(header, language)
  return language
}
