import type { Request } from 'express'
import { LANGUAGES, languageOf } from '../language.ts'
import type { Language } from '../language.ts'

/** The page's language: what `lang` in the address asks for, else what the browser prefers. */
export function chooseLanguage(request: Request): Language {
  const { lang } = request.query
  const asked = typeof lang === 'string' ? languageOf(lang) : null
  const preferred = request.acceptsLanguages(...LANGUAGES)
  return asked ?? (preferred === false ? null : languageOf(preferred)) ?? LANGUAGES[0]
}
