import { followRate } from '../playback/chosen-rate.ts'
import { runCommand, stateOf } from './parent-commands.ts'
import { parentOrigin } from './parent-origin.ts'
import { withSender } from './parent-protocol.ts'
import type { PlayerEvent } from './parent-protocol.ts'
import { readAnswer, readCommand } from './read-command.ts'

const TIMEUPDATE_MS = 250
const FULL_WINDOW_ANSWER_MS = 300
/** No page needs more; what comes above it in a second is not looked at. */
const COMMANDS_PER_SECOND = 100

/** Sent as they happen, each with the state of the player at that moment. */
const PLAIN_EVENTS = ['play', 'playing', 'pause', 'seeked', 'ended', 'volumechange'] as const

interface Parent {
  send(message: object): void
  /** The page now has the player fill its window, or no more. */
  setFullWindow(on: boolean): void
}

let parent: Parent | null = null
const waiting = new Map<number, (ok: boolean) => void>()
let lastRequestId = 0

/**
 * Lets the page that frames the player command it and hear of it, by the protocol of
 * docs/embedding.md. Messages are taken from that window and its origin alone, and sent to that
 * origin alone; where it is not known there is no conversation. To be called once.
 */
export function connectParent({
  video,
  container,
}: {
  video: HTMLVideoElement
  /** What goes full screen. */
  container: HTMLElement
}): void {
  const origin = parentOrigin({
    isFramed: window.parent !== window,
    ancestorOrigins: location.ancestorOrigins ? [...location.ancestorOrigins] : null,
    referrer: document.referrer,
  })
  if (origin === null) return
  let isFullWindow = false
  const send = (message: object): void => window.parent.postMessage(withSender(message), origin)
  const state = () => ({
    ...stateOf(video),
    playbackRate: rate.get(),
    fullscreen: isFullWindow || container.matches(':fullscreen'),
  })
  const tell = (event: PlayerEvent, more: object = {}): void =>
    send({ type: 'event', event, state: state(), ...more })
  const rate = followRate(video, () => tell('ratechange'))
  parent = {
    send,
    setFullWindow(on) {
      isFullWindow = on
      tell('fullscreen')
    },
  }
  const mayRun = atMostPerSecond(COMMANDS_PER_SECOND)
  window.addEventListener('message', ({ source, origin: from, data }) => {
    if (source !== window.parent || from !== origin || !mayRun()) return
    takeAnswer(data)
    const asked = readCommand(data)
    if (!asked) return
    const answer = (outcome: object): void =>
      send({ type: 'answer', id: asked.id, ...outcome, state: state() })
    if ('error' in asked) return answer({ ok: false, error: asked.error })
    void runCommand(video, rate, asked.command).then(answer)
  })
  forwardEvents(video, tell)
}

/**
 * Asks the page to have the player fill its window, or to undo that: for iPhones, where no element
 * but the bare video goes full screen. False where the page has no embed.js that does it.
 */
export function requestFullWindow(on: boolean): Promise<boolean> {
  const asked = parent
  if (!asked) return Promise.resolve(false)
  lastRequestId += 1
  const id = lastRequestId
  return new Promise((resolve) => {
    const end = (ok: boolean): void => {
      clearTimeout(timer)
      waiting.delete(id)
      if (ok) asked.setFullWindow(on)
      resolve(ok)
    }
    const timer = setTimeout(() => end(false), FULL_WINDOW_ANSWER_MS)
    waiting.set(id, end)
    asked.send({ type: 'request', id, method: 'full_window', value: on })
  })
}

function takeAnswer(data: unknown): void {
  const answer = readAnswer(data)
  if (answer) waiting.get(answer.id)?.(answer.ok)
}

function forwardEvents(
  video: HTMLVideoElement,
  tell: (event: PlayerEvent, more?: object) => void,
): void {
  for (const name of PLAIN_EVENTS) video.addEventListener(name, () => tell(name))
  video.addEventListener(
    'timeupdate',
    atMostEvery(TIMEUPDATE_MS, () => tell('timeupdate')),
  )
  video.textTracks.addEventListener('change', () => tell('captions'))
  document.addEventListener('fullscreenchange', () => tell('fullscreen'))
  const root = document.documentElement
  new MutationObserver(() => {
    const { error } = root.dataset
    if (error !== undefined) tell('error', { code: error })
  }).observe(root, { attributeFilter: ['data-error'] })
  // Before it is loaded, nothing that is asked of a video lasts.
  if (video.readyState >= HTMLMediaElement.HAVE_METADATA) tell('ready')
  else video.addEventListener('loadedmetadata', () => tell('ready'), { once: true })
}

/** Calls `action` at once, and what comes too soon after it together, when its time has come. */
function atMostEvery(everyMs: number, action: () => void): () => void {
  let lastAt = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = (): void => {
    timer = undefined
    lastAt = performance.now()
    action()
  }
  return () => {
    const waitMs = lastAt + everyMs - performance.now()
    if (waitMs <= 0) run()
    else timer ??= setTimeout(run, waitMs)
  }
}

function atMostPerSecond(most: number): () => boolean {
  let since = 0
  let count = 0
  return () => {
    const now = performance.now()
    if (now - since >= 1000) [since, count] = [now, 0]
    count += 1
    return count <= most
  }
}
