import type { CaptionContext, Captions } from '../captions/caption-context.ts'
import { clockTime, fillIn } from '../locales/words.ts'
import { seekTo } from '../playback/seek.ts'
import { openPanel, selectField } from './panel.ts'
import { currentLine, linesOf, splitAtMatches, type TranscriptLine } from './transcript-lines.ts'

interface TranscriptContext extends CaptionContext {
  captions: Captions
}

interface View {
  lines: TranscriptLine[]
  /** A button of each line. */
  buttons: HTMLButtonElement[]
}

/**
 * Opens the transcript: all captions of a language as a list that follows the video, can be searched, and seeks. It
 * stops following when the viewer scrolls it, until the viewer asks for it again.
 */
export function openTranscript(context: TranscriptContext): void {
  const { container, video, words, captions } = context
  const { shown, preferred } = captions
  const stop = new AbortController()
  const { element } = openPanel({
    container,
    className: 'transcript',
    title: words.captions.transcript,
    closeText: words.captions.close,
    onClose() {
      stop.abort()
      shown.read(undefined)
    },
  })
  const list = document.createElement('ol')
  const follow = followButton(words.captions.follow)
  const view: View = { lines: [], buttons: [] }
  const search = searchField(context, view)
  const scroll = (): void => scrollToCurrent(list, view, video.currentTime)
  const show = (track: TextTrack | undefined): void => {
    shown.read(track)
    list.lang = track?.language ?? ''
    const fill = (): void => {
      Object.assign(view, fillList(list, linesOf(track?.cues ?? []), goTo))
      search.refresh()
      scroll()
    }
    fill()
    elementOf(video, track)?.addEventListener('load', fill, { signal: stop.signal })
  }
  const goTo = (seconds: number): void => {
    seekTo(video, seconds)
    follow.hidden = true
  }
  follow.addEventListener('click', () => {
    follow.hidden = true
    scroll()
  })
  for (const name of ['wheel', 'touchmove'] as const)
    list.addEventListener(name, () => (follow.hidden = false), { passive: true })
  const onTime = (): void => {
    if (markCurrent(view, video.currentTime) && follow.hidden) scroll()
  }
  video.addEventListener('timeupdate', onTime, { signal: stop.signal })
  video.addEventListener('seeked', onTime, { signal: stop.signal })
  whenResized(list, stop.signal, () => {
    if (follow.hidden) scroll()
  })
  const track = shown.first() ?? preferred
  element.append(...languageField(context, track, show), search.element, search.count, list, follow)
  show(track)
}

function languageField(
  { words, captions: { tracks, choices } }: TranscriptContext,
  track: TextTrack | undefined,
  show: (track: TextTrack | undefined) => void,
): HTMLElement[] {
  if (tracks.length < 2) return []
  const field = selectField(words.captions.language, choices, {
    chosen: String(tracks.findIndex((one) => one === track)),
    onChosen: (value) => show(tracks[Number(value)]),
  })
  return [field.element]
}

const elementOf = (video: HTMLVideoElement, track: TextTrack | undefined) =>
  [...video.querySelectorAll('track')].find((one) => one.track === track)

function followButton(text: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'follow'
  button.textContent = text
  button.hidden = true
  return button
}

/** Fills the list with a button for each line. */
function fillList(
  list: HTMLElement,
  lines: TranscriptLine[],
  onChosen: (seconds: number) => void,
): View {
  const buttons = lines.map(({ start, text }) => {
    const button = document.createElement('button')
    button.type = 'button'
    const time = document.createElement('time')
    time.textContent = clockTime(start)
    const words = document.createElement('span')
    words.textContent = text
    words.dir = 'auto'
    button.append(time, words)
    button.addEventListener('click', () => onChosen(start))
    return button
  })
  list.replaceChildren(
    ...buttons.map((button) => {
      const item = document.createElement('li')
      item.append(button)
      return item
    }),
  )
  return { lines, buttons }
}

/** Shows the lines that contain what is searched, with the matches marked. */
function searchField({ words: { captions: words } }: TranscriptContext, view: View) {
  const input = document.createElement('input')
  input.type = 'search'
  input.placeholder = words.search
  input.ariaLabel = words.search
  const count = document.createElement('p')
  count.className = 'count'
  count.role = 'status'
  const refresh = (): void => {
    let found = 0
    for (const [index, button] of view.buttons.entries()) {
      const parts = splitAtMatches(view.lines[index]?.text ?? '', input.value)
      const isFound = parts.length > 1 || input.value.trim() === ''
      if (isFound) found++
      button.parentElement?.toggleAttribute('hidden', !isFound)
      button.querySelector('span')?.replaceChildren(
        ...parts.map((part, number) => {
          if (number % 2 === 0) return part
          const mark = document.createElement('mark')
          mark.textContent = part
          return mark
        }),
      )
    }
    count.textContent = input.value.trim() === '' ? '' : fillIn(words.found, { number: found })
  }
  input.addEventListener('input', refresh)
  return { element: input, count, refresh }
}

/** Marks the line at a position. Returns whether it has changed. */
function markCurrent({ lines, buttons }: View, seconds: number): boolean {
  const button = buttons[currentLine(lines, seconds)]
  const before = buttons.find((one) => one.ariaCurrent === 'true')
  if (button === before) return false
  before?.removeAttribute('aria-current')
  button?.setAttribute('aria-current', 'true')
  return true
}

/** Such as on a phone that is turned. */
function whenResized(list: HTMLElement, signal: AbortSignal, run: () => void): void {
  const resizes = new ResizeObserver(run)
  resizes.observe(list)
  signal.addEventListener('abort', () => resizes.disconnect())
}

/** Scrolls the list alone: `scrollIntoView` would scroll the page around the frame too. */
function scrollToCurrent(list: HTMLElement, view: View, seconds: number): void {
  markCurrent(view, seconds)
  const item = view.buttons[Math.max(0, currentLine(view.lines, seconds))]?.parentElement
  if (item) list.scrollTop = item.offsetTop - (list.clientHeight - item.offsetHeight) / 2
}
