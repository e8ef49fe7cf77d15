import type { CaptionContext, Captions } from '../captions/caption-context.ts'
import {
  CAPTION_ASPECTS,
  CAPTION_CHOICES,
  declarationsOf,
  parseCaptionStyle,
  type CaptionStyle,
} from '../captions/caption-style.ts'
import { openPanel, selectField } from './panel.ts'

const NONE = ''

/** Opens the panel in which the viewer chooses the style of captions, with a sample, and a second language. */
export function openCaptionPanel({
  container,
  words: { captions: words },
  captions: { tracks, choices, shown, style },
}: CaptionContext & { captions: Captions }): void {
  const { element } = openPanel({
    container,
    className: 'caption-panel',
    title: words.style,
    closeText: words.close,
  })
  const sample = document.createElement('p')
  sample.className = 'sample'
  const text = document.createElement('span')
  text.textContent = words.sample
  sample.append(text)
  const choose = (chosen: CaptionStyle): void => {
    style.set(chosen)
    text.style.cssText = declarationsOf(chosen)
    sample.dataset.position = chosen.position
    for (const { name, field } of fields) field.set(chosen[name])
  }
  const fields = CAPTION_ASPECTS.map((name) => {
    const values: readonly string[] = CAPTION_CHOICES[name]
    const texts = new Map<string, string>(Object.entries(words[name].values))
    const field = selectField(
      words[name].label,
      values.map((value) => ({ value, text: texts.get(value) ?? value })),
      {
        chosen: style.get()[name],
        onChosen: (value) =>
          choose(parseCaptionStyle(JSON.stringify({ ...style.get(), [name]: value }))),
      },
    )
    return { name, field }
  })
  const reset = document.createElement('button')
  reset.type = 'button'
  reset.textContent = words.reset
  reset.addEventListener('click', () => choose(parseCaptionStyle(null)))
  const list = document.createElement('div')
  list.className = 'fields'
  list.append(...fields.map(({ field }) => field.element))
  if (tracks.length > 1) {
    const index = tracks.findIndex((track) => track === shown.second())
    const second = selectField(words.second, [{ value: NONE, text: words.none }, ...choices], {
      chosen: index < 0 ? NONE : String(index),
      onChosen: (value) => shown.showSecond(value === NONE ? undefined : tracks[Number(value)]),
    })
    list.prepend(second.element)
  }
  element.append(sample, list, reset)
  choose(style.get())
}
