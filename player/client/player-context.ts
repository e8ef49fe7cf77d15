import type { PlayerData } from '../player-data.ts'
import { openMemory } from './memory.ts'
import type { Memory } from './memory.ts'
import { readOptions } from '../embed-options.ts'
import type { EmbedOptions } from '../embed-options.ts'
import { requestFullWindow } from './parent/parent-messages.ts'
import { createProblems } from './problems.ts'
import type { Problems } from './problems.ts'
import { openSession } from './playback/session.ts'
import type { Session } from './playback/session.ts'

/** Everything that the parts of the page share. */
export interface Stage {
  data: PlayerData
  container: HTMLElement
  video: HTMLVideoElement
  memory: Memory
  options: EmbedOptions
  session: Session
  problems: Problems
  /** Whether the viewer has asked to play, also while there is nothing yet that could. */
  wish: { toPlay: boolean }
  /** Asks the page around the frame to have it fill the window; false where that page cannot. */
  fillWindow(this: void, isOn: boolean): Promise<boolean>
  /** Keys that were pressed before there was anything to take them. */
  pressed: KeyboardEvent[]
}

/** Puts together what the page came with. */
export function setStage(data: PlayerData, container: HTMLElement, video: HTMLVideoElement): Stage {
  const options = readOptions(location.search)
  const wish = { toPlay: options.autoplay }
  const set = (toPlay: boolean) => () => void (wish.toPlay = toPlay)
  container.addEventListener('mediaplayrequest', set(true))
  container.addEventListener('mediapauserequest', set(false))
  container.querySelector('.early')?.addEventListener('click', () => {
    wish.toPlay = true
    // Within the press: a browser lets a page play with sound for a moment after it.
    void video.play().catch(() => undefined)
  })
  return {
    ...{ data, container, video, options, wish },
    memory: openMemory(),
    session: openSession(data),
    problems: createProblems(),
    // Its state is the module's, which the controls' bundle would have a second time.
    fillWindow: requestFullWindow,
    pressed: keepKeys(),
  }
}

function keepKeys(): KeyboardEvent[] {
  const pressed: KeyboardEvent[] = []
  const keep = (event: KeyboardEvent): void => {
    if ('controls' in document.documentElement.dataset) removeEventListener('keydown', keep)
    else pressed.push(event)
  }
  addEventListener('keydown', keep)
  return pressed
}
