/** Text as HTML, in an element or in a quoted attribute. */
export const escapeHtml = (text: string): string => (SPECIAL.test(text) ? escaped(text) : text)

const SPECIAL = /[&<>"']/

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

/** Data for a script, inside a `<script type="application/json">` element. */
export const scriptJson = (data: unknown): string =>
  JSON.stringify(data).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028')
