/** Escapes a text for an HTML element or a quoted attribute. */
export const escapeHtml = (text: string): string =>
  SPECIAL.test(text) ? replaceSpecial(text) : text

/** Escapes a text and turns `code` into elements, which are left-to-right in every language. */
export const withCode = (text: string): string =>
  escapeHtml(text).replaceAll(/`([^`]*)`/g, '<code dir="ltr">$1</code>')

const SPECIAL = /[&<>"']/

const replaceSpecial = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
