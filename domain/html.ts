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
