/** Escapes a text for an HTML element or a quoted attribute. */
export const escapeHtml = (text: string): string =>
  SPECIAL.test(text) ? replaceSpecial(text) : text

const SPECIAL = /[&<>"']/

const replaceSpecial = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
