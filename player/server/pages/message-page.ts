import { escapeHtml, withCode } from '../../../domain/html.ts'
import { directionOf, type Language } from '../../../domain/language.ts'
import type { PlaybackCause } from '../../../domain/playback-reports/playback-causes.ts'
import { fontPreloads } from '../../../http/pages/fonts.ts'
import { sign, type SignName } from '../../../http/pages/signs.ts'
import { qrCode } from './qr-code.ts'
import type { PageTexts } from './texts/page-texts.ts'

/** Content of a message page: what happened, and what the owner of the site has to do. */
export interface Message {
  title: string
  /** What happened, in one word for support, such as `domain_not_allowed`. */
  code: PlaybackCause
  sign: SignName
  /** For the viewer. May contain `code` in backticks. */
  text: string
  /** For the owner of the site, with a snippet to copy. */
  advice?: { text: string; snippet?: string | undefined } | undefined
  /** Buttons, most useful first. */
  actions?: Action[]
  /** Text for the viewer below the buttons. */
  hint?: string | undefined
  /** Address for another device, shown as a QR code with a caption. */
  scan?: { url: string; text: string } | undefined
  /** True if the video or its address has a fault. Other pages say that it may not be played here. */
  isFaulty?: boolean
}

interface Action {
  href: string
  label: string
  /** True for an address that cannot be shown in the iframe. */
  isNewTab?: boolean
}

/** What all message pages of a response have in common. */
export interface PageFrame {
  language: Language
  texts: Pick<PageTexts, 'forOwner' | 'request' | 'reportCode' | 'copyDetails' | 'copied'>
  /** The code that leads the owner of the site to the report (ADR 0066). */
  reportCode: string
  /** Null for a page whose request is not logged. */
  requestId: string | null
  styleUrl: string
  /** Copies the details. The page is whole without it. */
  scriptUrl: string
}

/** Renders a message page. Its only script shows a button that copies the details, if there are some. */
export function messagePage(message: Message, frame: PageFrame): string {
  const title = escapeHtml(message.title)
  const { texts } = frame
  return `<!doctype html>
<html lang="${frame.language}" dir="${directionOf(frame.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${fontPreloads(frame.language)}<link rel="stylesheet" href="${escapeHtml(frame.styleUrl)}">
</head>
<body>
<main${message.isFaulty === true ? ' class="faulty"' : ''}>
${sign(message.sign)}
<h1>${title}</h1>
<p>${withCode(message.text)}</p>
${actionsHtml(message.actions ?? [])}${hintHtml(message)}${adviceHtml(message.advice, texts.forOwner)}${reportCode(frame)}${requestHtml(message, frame)}
${message.advice ? copyButton(frame) : ''}</main>
</body>
</html>
`
}

/** From left to right in every language, as it is read out. */
const reportCode = ({ reportCode: code, texts }: PageFrame): string =>
  `<p class="report">${escapeHtml(texts.reportCode)} <bdi dir="ltr">${escapeHtml(code)}</bdi></p>
`

const requestHtml = ({ code }: Message, { requestId, texts }: PageFrame): string => {
  const request = requestId === null ? '' : ` · ${escapeHtml(`${texts.request} ${requestId}`)}`
  return `<p class="request"><bdi>${escapeHtml(code)}</bdi>${request}</p>`
}

const copyButton = ({ texts, scriptUrl }: PageFrame): string =>
  `<p><button id="copy" class="quiet" type="button" data-copied="${escapeHtml(texts.copied)}" hidden>${escapeHtml(texts.copyDetails)}</button></p>
<script type="module" src="${escapeHtml(scriptUrl)}"></script>
`

function actionsHtml(actions: Action[]): string {
  if (actions.length === 0) return ''
  const links = actions.map(({ href, label, isNewTab }) => {
    const target = isNewTab === true ? ' target="_blank" rel="noopener noreferrer"' : ''
    return `<a class="button" href="${escapeHtml(href)}"${target}>${escapeHtml(label)}</a>`
  })
  return `<p class="actions">${links.join('\n')}</p>\n`
}

function hintHtml({ hint, scan }: Message): string {
  const text = hint === undefined ? '' : `<p>${escapeHtml(hint)}</p>\n`
  if (!scan) return text
  return `${text}<figure>${qrCode(scan.url)}<figcaption>${escapeHtml(scan.text)}</figcaption></figure>\n`
}

function adviceHtml(advice: Message['advice'], forOwner: string): string {
  if (!advice) return ''
  const snippet =
    advice.snippet === undefined
      ? ''
      : `\n<pre dir="ltr"><code>${escapeHtml(advice.snippet)}</code></pre>`
  return `<details><summary>${escapeHtml(forOwner)}</summary><p>${withCode(advice.text)}</p>${snippet}</details>\n`
}
