import { escapeHtml } from '../../../domain/html.ts'
import { directionOf } from '../../language.ts'
import type { Language } from '../../language.ts'
import { qrCode } from './qr-code.ts'

/** A page for the person in front of it: what happened, and what the site's owner must do. */
export interface Message {
  title: string
  /** For the viewer; `code` in backticks. */
  text: string
  /** For whoever put the iframe there, with what to copy. */
  advice?: { text: string; snippet?: string } | undefined
  /** Buttons, the most useful first. */
  actions?: Action[]
  /** Behind the buttons, for the viewer. */
  hint?: string
  /** An address for another device, as a QR code, and what to do with it. */
  scan?: { url: string; text: string }
  /** True while the page will go on by itself. */
  isWaiting?: boolean
}

interface Action {
  href: string
  label: string
  /** True for a site that cannot be shown in the iframe. */
  isNewTab?: boolean
}

/** What surrounds a message: its language, the words that every page has, and its style. */
export interface Surroundings {
  language: Language
  forOwner: string
  request: string
  requestId: string
  styleUrl: string
}

/** Renders a message without any script. */
export function messagePage(message: Message, around: Surroundings): string {
  const title = escapeHtml(message.title)
  const spinner = message.isWaiting === true ? '<div class="spinner"></div>\n' : ''
  return `<!doctype html>
<html lang="${around.language}" dir="${directionOf(around.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${escapeHtml(around.styleUrl)}">
</head>
<body>
<main>
${spinner}<h1>${title}</h1>
<p>${withCode(message.text)}</p>
${actionsHtml(message.actions ?? [])}${hintHtml(message)}${adviceHtml(message.advice, around.forOwner)}<p class="request">${escapeHtml(around.request)} ${escapeHtml(around.requestId)}</p>
</main>
</body>
</html>
`
}

function actionsHtml(actions: Action[]): string {
  if (actions.length === 0) return ''
  const links = actions.map(({ href, label, isNewTab }) => {
    const target = isNewTab === true ? ' target="_blank" rel="noopener noreferrer"' : ''
    return `<a class="button" href="${escapeHtml(href)}"${target}>${escapeHtml(label)}</a>`
  })
  return `<p class="actions">${links.join('\n')}</p>\n`
}

function hintHtml({ hint, scan }: Message): string {
  const told = hint === undefined ? '' : `<p>${escapeHtml(hint)}</p>\n`
  if (!scan) return told
  return `${told}<figure>${qrCode(scan.url)}<figcaption>${escapeHtml(scan.text)}</figcaption></figure>\n`
}

function adviceHtml(advice: Message['advice'], forOwner: string): string {
  if (!advice) return ''
  const snippet =
    advice.snippet === undefined
      ? ''
      : `\n<pre dir="ltr"><code>${escapeHtml(advice.snippet)}</code></pre>`
  return `<details><summary>${escapeHtml(forOwner)}</summary><p>${withCode(advice.text)}</p>${snippet}</details>\n`
}

/** Text with its `code` in elements; names are written from left to right in every language. */
const withCode = (text: string): string =>
  escapeHtml(text).replaceAll(/`([^`]*)`/g, '<code dir="ltr">$1</code>')
