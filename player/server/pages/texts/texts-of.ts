import type { Language } from '../../../language.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import type { PageTexts } from './page-texts.ts'
import { pt } from './pt.ts'

const TEXTS: Record<Language, PageTexts> = { en, de, es, fr, pt, ar }

/** What the pages say in a language. */
export const textsOf = (language: Language): PageTexts => TEXTS[language]
