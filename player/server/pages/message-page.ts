import { escapeHtml } from './html.ts'

/** A page for the person in front of it: what happened, and what the site's owner must do. */
export interface Message {
  title: string
  /** For the viewer. */
  text: string
  /** For whoever put the iframe there; may name headers and attributes. */
  owner?: string
  /** Where a button leads, such as the mobile app. */
  action?: { href: string; label: string }
  requestId: string
  /** Where a page that waits goes by itself, and after how many seconds. */
  refresh?: { seconds: number; url: string }
  styleUrl: string
}

/** Renders a message without any script. */
export function messagePage(message: Message): string {
  const { title, text, owner, action } = message
  const refresh = refreshTag(message.refresh)
  const spinner = refresh === '' ? '' : '<div class="spinner" role="status"></div>'
  const forOwner =
    owner === undefined
      ? ''
      : `<details><summary>For the owner of this site</summary><p>${escapeHtml(owner)}</p></details>`
  const button =
    action === undefined
      ? ''
      : `<p><a class="button" href="${escapeHtml(action.href)}">${escapeHtml(action.label)}</a></p>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${refresh}
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${escapeHtml(message.styleUrl)}">
</head>
<body class="message">
<main>
${spinner}
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${button}${forOwner}
<p class="request">Request ${escapeHtml(message.requestId)}</p>
</main>
</body>
</html>
`
}

const refreshTag = (refresh: Message['refresh']): string =>
  refresh === undefined
    ? ''
    : `<meta http-equiv="refresh" content="${refresh.seconds};url=${escapeHtml(refresh.url)}">`
