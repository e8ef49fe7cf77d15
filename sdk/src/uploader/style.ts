const CSS = `
:host { display: block; font: inherit; color: inherit; color-scheme: inherit; }
:host([hidden]), [hidden] { display: none !important; }
* { box-sizing: border-box; }
.drop, .file {
  display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; padding: 16px;
  border: 1px solid color-mix(in srgb, currentColor 25%, transparent);
  border-radius: var(--reelgate-radius, 8px);
}
.drop { justify-content: center; border-style: dashed; padding-block: 28px; }
.drop.over { border-color: var(--reelgate-accent, #127864); border-style: solid; }
button {
  font: inherit; min-height: 36px; padding: 6px 14px; cursor: pointer; color: inherit; background: transparent;
  border: 1px solid color-mix(in srgb, currentColor 55%, transparent); border-radius: var(--reelgate-radius, 8px);
}
button.main {
  color: var(--reelgate-on-accent, #fff); background: var(--reelgate-accent, #127864); border-color: transparent;
}
button:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
.name { flex: 1 1 12em; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 600; }
.buttons { display: flex; gap: 8px; }
.bar {
  flex: 1 1 100%; height: 8px; overflow: hidden; border-radius: 4px;
  background: color-mix(in srgb, currentColor 18%, transparent);
}
.fill { height: 100%; background: var(--reelgate-accent, #127864); border-radius: inherit; }
.figures { flex: 1 1 auto; font-variant-numeric: tabular-nums; }
.status { margin: 0; }
@media (forced-colors: active) {
  .bar { border: 1px solid CanvasText; }
  .fill { background: Highlight; forced-color-adjust: none; }
}
`

let sheet: CSSStyleSheet | undefined

/** The style of all elements. A constructed sheet needs no permission of a content security policy. */
export function uploaderStyle(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(CSS)
  }
  return sheet
}
