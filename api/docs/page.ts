import { readFileSync } from 'node:fs'
import { escapeHtml } from '../../domain/html.ts'
import { DESIGN_STYLE } from '../../http/pages/design-style.ts'
import { fontPreloads } from '../../http/pages/fonts.ts'

const STYLE = DESIGN_STYLE + readFileSync(new URL('./style.css', import.meta.url), 'utf8')

/** Returns a page of the documentation in the colour schemes that it has; `body` is HTML. */
export const page = (
  title: string,
  body: string,
  schemes = 'light dark',
): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="${schemes}">
<link rel="icon" href="data:,">${fontPreloads('en')}<style>${STYLE}</style></head>
<body>${body}</body></html>`

/** A section of a page, with the ids of what it contains. */
export interface Section {
  id: string
  title: string
  /** HTML below the heading. */
  body: string
  /** What the table of contents lists below the section: each id with its code. */
  entries?: readonly { id: string; code: string }[]
}

interface Article {
  title: string
  /** HTML. */
  intro: string
  /** The address of the page. */
  path: string
  sections: readonly Section[]
}

const PAGES = [
  { path: '/docs', name: 'Reference' },
  { path: '/docs/errors', name: 'Error codes' },
  { path: '/docs/events', name: 'Events' },
]

/** Returns a page with its table of contents beside it. */
export const articlePage = ({ title, intro, path, sections }: Article): string =>
  page(
    `Reelgate API: ${title.toLowerCase()}`,
    `<div class="article"><nav aria-label="Documentation"><p class="brand">Reelgate API</p>
<ul class="pages">${PAGES.map((one) => `<li><a href="${one.path}"${one.path === path ? ' aria-current="page"' : ''}>${one.name}</a></li>`).join('')}</ul>
<p class="on-page" id="on-page">On this page</p>
<ul aria-labelledby="on-page">${sections.map(contentsOf).join('\n')}</ul></nav>
<main><h1>${escapeHtml(title)}</h1>
${intro}
${sections.map(sectionHtml).join('\n')}
</main></div>`,
  )

const contentsOf = ({ id, title, entries = [] }: Section): string =>
  `<li><a href="#${id}">${escapeHtml(title)}</a>${entries.length === 0 ? '' : `<ul>${entries.map(({ id: at, code }) => `<li><a href="#${at}"><code>${code}</code></a></li>`).join('')}</ul>`}</li>`

const sectionHtml = ({ id, title, body }: Section): string =>
  `<section><h2 id="${id}"><a href="#${id}">${escapeHtml(title)}</a></h2>
${body}</section>`
