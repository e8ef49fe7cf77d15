import { adoptStyle } from '../adopt-style.ts'
import { element } from '../element.ts'
import type { Words } from '../locales/words.ts'
import type { PlayerContext } from '../player-context.ts'
import { estimateText } from './estimate.ts'
import { followOverdue } from './overdue.ts'
import type { Wait } from './preparing-state.ts'
import style from './preparing.css' with { type: 'text' }

/** What a viewer sees who waits for the encoder. */
export interface WaitingView {
  /** Shows what is waited for; nothing for null. */
  show(wait: Wait | null): void
}

/** Creates the view. It has the look of the controls, and so it makes them load. */
export function createWaitingView(context: PlayerContext): WaitingView {
  const { dataset, lang } = document.documentElement
  const places = createPlaces()
  let words: Words | null = null
  let shown: Wait | null = null
  let isAnnounced = false
  const isOverdue = followOverdue()
  const render = (): void => {
    if (!words) return
    const isLate = isOverdue(shown?.seconds ?? null, performance.now())
    const lines = linesOf(shown, words, { lang, isLate, isWished: context.playRequested })
    for (const kind of ['start', 'part'] as const) {
      const texts = shown?.for === kind ? lines : []
      if (places[kind].textContent !== texts.join(''))
        places[kind].replaceChildren(...texts.map(line))
    }
    if (isAnnounced === (shown !== null)) return
    isAnnounced = shown !== null
    announce(shown ? lines.join(' ') : words.preparing.ready)
  }
  void loadWords(context.data.wordsUrl).then((loaded) => {
    words = loaded
    render()
  })
  return {
    show(wait) {
      shown = wait
      if (wait) dataset.preparing = wait.for
      else delete dataset.preparing
      keepVisible(wait?.for === 'start')
      if (wait) dispatchEvent(new Event('preparing'))
      render()
    },
  }
}

async function loadWords(url: string): Promise<Words> {
  const { default: words }: { default: Words } = await import(url)
  return words
}

/** What to say: that something is being prepared, and when it plays. */
function linesOf(
  wait: Wait | null,
  { preparing }: Words,
  { lang, isLate, isWished }: { lang: string; isLate: boolean; isWished: boolean },
): string[] {
  if (!wait) return []
  const { seconds } = wait
  if (isLate) return wait.for === 'part' ? [preparing.partLate] : [preparing.video, preparing.late]
  if (wait.for === 'part')
    return [estimateText(seconds, { withTime: preparing.partIn, without: preparing.part }, lang)]
  const texts = isWished
    ? { withTime: preparing.startsIn, without: preparing.starts }
    : { withTime: preparing.playableIn, without: preparing.playable }
  return [preparing.video, estimateText(seconds, texts, lang)]
}

function line(text: string): HTMLElement {
  const made = document.createElement('p')
  made.textContent = text
  return made
}

/** Adds the places for the texts: below the play button, in its ring, and over the picture. */
function createPlaces(): Record<Wait['for'], HTMLElement> {
  adoptStyle(style)
  const start = document.createElement('div')
  start.className = 'preparing-start'
  const part = document.createElement('div')
  part.className = 'preparing-part'
  part.slot = 'centered-chrome'
  part.setAttribute('noautohide', '')
  const ring = document.createElement('span')
  ring.className = 'preparing-ring'
  document.querySelector('.centre')?.append(ring, start)
  element('waiting')?.after(part)
  return { start, part }
}

/** The controls fade while a video plays, and a video that is to start is one for Media Chrome. */
const keepVisible = (isOn: boolean): void =>
  void document.querySelector('.centre')?.toggleAttribute('noautohide', isOn)

function announce(text: string): void {
  const live = element('live')
  if (live) live.textContent = text
}
