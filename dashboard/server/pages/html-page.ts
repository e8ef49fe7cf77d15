import type { Request, Response } from 'express'
import { escapeHtml } from '../../../domain/html.ts'
import { directionOf, type Language } from '../../../domain/language.ts'
import { chooseLanguage } from '../../../http/pages/choose-language.ts'
import { fontPreloads } from '../../../http/pages/fonts.ts'
import { sign, type SignName } from '../../../http/pages/signs.ts'
import type { Authentication } from '../auth/authentication.ts'
import { ICON, SIGN } from './brand.ts'
import type { PageFiles } from './page-files.ts'
import { ar } from './texts/ar.ts'
import { de } from './texts/de.ts'
import { en } from './texts/en.ts'
import { es } from './texts/es.ts'
import { fr } from './texts/fr.ts'
import type { PageTexts } from './texts/page-texts.ts'
import { pt } from './texts/pt.ts'

const TEXTS: Record<Language, PageTexts> = { en, de, es, fr, pt, ar }

/** What the pages share. */
export interface PageContext extends Authentication {
  files: PageFiles
}

/** One page: its title, which is also its heading, and the HTML below it. */
export interface PageContent {
  title: string
  body: string
  /** A picture above the title, for a page that says what happened. */
  sign?: SignName
  scriptUrl?: string
}

/** The texts in the language of the person who asks. */
export function textsFor(request: Request): { texts: PageTexts; language: Language } {
  const language = chooseLanguage(request)
  return { texts: TEXTS[language], language }
}

/** Sends a page in the language of the person who asks. */
export function sendPage(
  response: Response,
  { styleUrl }: PageFiles,
  contentIn: (texts: PageTexts, language: Language) => PageContent,
): void {
  const { texts, language } = textsFor(response.req)
  const { title, body, sign: signName, scriptUrl } = contentIn(texts, language)
  const script =
    scriptUrl === undefined
      ? ''
      : // What it shows or hides is so before the first paint, where browsers know this attribute.
        `<script type="module" blocking="render" src="${escapeHtml(scriptUrl)}"></script>\n`
  response.vary('Accept-Language').type('html').send(`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="${ICON}">
<title>${escapeHtml(title)} · Reelgate</title>
<link rel="stylesheet" href="${escapeHtml(styleUrl)}">
${fontPreloads(language)}${script}</head>
<body>
<header><p class="brand">${SIGN}Reelgate</p></header>
<main>
${signName === undefined ? '' : sign(signName)}<h1>${escapeHtml(title)}</h1>
${body}</main>
</body>
</html>
`)
}

/** Keeps the direction of a foreign word, such as an address, apart from that of the sentence. */
export const isolated = (word: string): string => `\u2068${word}\u2069`
