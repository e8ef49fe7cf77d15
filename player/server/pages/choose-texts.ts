import type { Language } from '../../../domain/language.ts'
import { ar } from './texts/ar.ts'
import { de } from './texts/de.ts'
import { en } from './texts/en.ts'
import { es } from './texts/es.ts'
import { fr } from './texts/fr.ts'
import type { PageTexts } from './texts/page-texts.ts'
import { pt } from './texts/pt.ts'

const TEXTS: Record<Language, PageTexts> = { en, de, es, fr, pt, ar }

/** Returns the texts of the pages in a language. */
export const textsOf = (language: Language): PageTexts => TEXTS[language]
