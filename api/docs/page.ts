/** A page of the documentation; `body` is HTML. */
export const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body>${body}</body></html>`

/** The last rule takes away the dark column that Redoc draws down the whole page, samples or none. */
const STYLE = `body{margin:0;font:16px/1.5 system-ui,sans-serif;color:#222;background:#fff}
main{max-width:64rem;margin:0 auto;padding:2rem 1rem}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.5rem;border-bottom:1px solid #ddd}
tr:target,h2:target{background:#fff6d6}td code{white-space:nowrap}.wide{overflow-x:auto}
main pre{overflow-x:auto;background:#f6f6f6;padding:.75rem}
#reference .api-content+div{background:none}`

/** Text as HTML. */
export const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
