import { IFRAME_ATTRIBUTES } from '../../../domain/embed-url.ts'
import { escapeHtml } from '../../../domain/html.ts'
import { directionOf } from '../../language.ts'
import type { Language } from '../../language.ts'

export interface DirectPlayPage {
  language: Language
  title: string
  /** Address of this page, without a viewer token. */
  pageUrl: string
  embedUrl: string
  /** Null if there is no poster or it may not be shown. */
  posterUrl: string | null
  styleUrl: string
}

/** Renders a page without scripts that frames the embed page and has metadata for link previews. */
export function directPlayPage(page: DirectPlayPage): string {
  const title = escapeHtml(page.title)
  return `<!doctype html>
<html lang="${page.language}" dir="${directionOf(page.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<title>${title}</title>
${previewTags(page)}
<link rel="stylesheet" href="${escapeHtml(page.styleUrl)}">
</head>
<body class="direct-play">
<main>
<h1>${title}</h1>
<iframe src="${escapeHtml(page.embedUrl)}" title="${title}" ${IFRAME_ATTRIBUTES}></iframe>
</main>
</body>
</html>
`
}

function previewTags({ title, pageUrl, posterUrl }: DirectPlayPage): string {
  const tags: [string, string, string][] = [
    ['property', 'og:type', 'video.other'],
    ['property', 'og:title', title],
    ['property', 'og:url', pageUrl],
    ['name', 'twitter:card', posterUrl === null ? 'summary' : 'summary_large_image'],
  ]
  if (posterUrl !== null) tags.push(['property', 'og:image', posterUrl])
  return tags
    .map(([kind, name, content]) => `<meta ${kind}="${name}" content="${escapeHtml(content)}">`)
    .join('\n')
}
