/** Adds a style that comes with a script: in the page's own, it would delay the first frame. */
export function adoptStyle(css: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
}
