import { readOptions, type EmbedOptions } from '../embed-options.ts'
import type { PlayerData } from '../player-data.ts'
import { openMemory, type Memory } from './memory.ts'
import { requestFullWindow } from './parent/parent-messages.ts'
import { openSession, type Session } from './playback/session.ts'
import { createProblems, type Problems } from './problems.ts'

/** What the modules of the page share. */
export interface PlayerContext {
  data: PlayerData
  container: HTMLElement
  video: HTMLVideoElement
  memory: Memory
  options: EmbedOptions
  session: Session
  problems: Problems
  /** True if the viewer or the address has requested playback, even before the video can play. */
  playRequested: boolean
  /** Asks the embedding page to let the player fill its window. Resolves to false if it cannot. */
  fillWindow(this: void, isOn: boolean): Promise<boolean>
  /** Moves the watermark, if any, above the elements that are in the top layer. */
  raiseWatermark(this: void): void
  /** Keys that were pressed before the controls had loaded. */
  earlyKeys: KeyboardEvent[]
}

/** Creates the context and starts to follow play requests and early keys. */
export function createPlayerContext(
  data: PlayerData,
  container: HTMLElement,
  video: HTMLVideoElement,
): PlayerContext {
  const options = readOptions(location.search)
  const context: PlayerContext = {
    data,
    container,
    video,
    options,
    memory: openMemory(),
    session: openSession(data),
    problems: createProblems(),
    playRequested: options.autoplay,
    // Passed on, because the controls' bundle has a second copy of this module with separate state.
    fillWindow: requestFullWindow,
    raiseWatermark: () => undefined,
    earlyKeys: collectEarlyKeys(),
  }
  container.addEventListener('mediaplayrequest', () => (context.playRequested = true))
  container.addEventListener('mediapauserequest', () => (context.playRequested = false))
  container.querySelector('.early')?.addEventListener('click', () => {
    context.playRequested = true
    // During the click, because browsers only allow audio shortly after a user gesture.
    void video.play().catch(() => undefined)
  })
  return context
}

function collectEarlyKeys(): KeyboardEvent[] {
  const keys: KeyboardEvent[] = []
  const collect = (event: KeyboardEvent): void => {
    if ('controls' in document.documentElement.dataset) removeEventListener('keydown', collect)
    // The early button uses its keys itself.
    else if (!(event.target instanceof HTMLButtonElement)) keys.push(event)
  }
  addEventListener('keydown', collect)
  return keys
}
