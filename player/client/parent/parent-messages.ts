import { followRate } from '../playback/chosen-rate.ts'
import { readCommand, readResponse, runCommand, stateOf } from './parent-commands.ts'
import { parentOrigin } from './parent-origin.ts'
import { withSender, type PlayerEvent } from './parent-protocol.ts'

const TIMEUPDATE_MS = 250
/** The viewer waits for it, and a tap opens an iPhone's own full screen only for a short time. */
const FIRST_RESPONSE_MS = 300
/** For a page that responds, as a busy one does late, and for requests that change nothing. */
const RESPONSE_MS = 5_000
/** More than any page needs. Further messages within a second are ignored. */
const MESSAGES_PER_SECOND_MAX = 100

/** Forwarded as they occur, each with the current state. */
const PLAIN_EVENTS = ['play', 'playing', 'pause', 'seeked', 'ended', 'volumechange'] as const

interface PlayerElements {
  video: HTMLVideoElement
  /** The element that goes full screen. */
  container: HTMLElement
}

interface Parent {
  send(message: object): void
  /** Called when the page lets the player fill its window, or no longer does. */
  setFullWindow(on: boolean): void
}

let parent: Parent | null = null
const pendingRequests = new Map<number, (ok: boolean) => void>()
/** Whether the page has responded to a request. */
let hasResponded = false
let lastRequestId = 0

/**
 * Lets the embedding page send commands and receive events, as docs/embedding.md describes. Messages are
 * only accepted from and sent to the origin of that page. Does nothing if its origin is unknown. Call it
 * once.
 */
export function connectParent({ video, container }: PlayerElements): void {
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
  const sendEvent = (event: PlayerEvent, more: object = {}): void =>
    send({ type: 'event', event, state: state(), ...more })
  const rate = followRate(video, () => sendEvent('ratechange'))
  parent = {
    send,
    setFullWindow(on) {
      if (on === isFullWindow) return
      isFullWindow = on
      sendEvent('fullscreen')
    },
  }
  listenToParent(origin, (data) => {
    const received = readCommand(data)
    if (!received) return
    const response = (outcome: object): void =>
      send({ type: 'answer', id: received.id, ...outcome, state: state() })
    if ('error' in received) return response({ ok: false, error: received.error })
    void runCommand(video, rate, received.command).then(response)
  })
  forwardEvents(video, sendEvent)
}

/** Handles the page's responses, and passes all other messages of its origin to `onMessage`. */
function listenToParent(origin: string, onMessage: (data: unknown) => void): void {
  const isAllowed = rateLimit(MESSAGES_PER_SECOND_MAX)
  window.addEventListener('message', ({ source, origin: from, data }) => {
    if (source !== window.parent || from !== origin || !isAllowed()) return
    const response = readResponse(data)
    if (response) takeResponse(response)
    onMessage(data)
  })
}

/**
 * Asks the embedding page to let the player fill its window, or to undo that. For iPhones, where only
 * the bare video element supports full screen. Resolves to false if the page does not use embed.js. A page
 * that responds to the first request too late does not stay filled.
 */
export function requestFullWindow(on: boolean): Promise<boolean> {
  const page = parent
  if (!page) return Promise.resolve(false)
  return new Promise((resolve) => {
    let isLate = false
    const timer = setTimeout(
      () => {
        isLate = true
        resolve(false)
      },
      on && !hasResponded ? FIRST_RESPONSE_MS : RESPONSE_MS,
    )
    sendRequest(page, on, (ok) => {
      clearTimeout(timer)
      hasResponded ||= ok
      if (isLate && ok && on) sendRequest(page, false)
      if (isLate) return
      if (ok) page.setFullWindow(on)
      resolve(ok)
    })
  })
}

/** Sends the request `full_window`, and calls `onResponse` if the page responds, whenever that is. */
function sendRequest(page: Parent, value: boolean, onResponse?: (ok: boolean) => void): void {
  lastRequestId += 1
  const id = lastRequestId
  if (onResponse) pendingRequests.set(id, onResponse)
  page.send({ type: 'request', id, method: 'full_window', value })
}

function takeResponse({ id, ok }: { id: number; ok: boolean }): void {
  const onResponse = pendingRequests.get(id)
  pendingRequests.delete(id)
  onResponse?.(ok)
}

function forwardEvents(
  video: HTMLVideoElement,
  sendEvent: (event: PlayerEvent, more?: object) => void,
): void {
  for (const name of PLAIN_EVENTS) video.addEventListener(name, () => sendEvent(name))
  video.addEventListener(
    'timeupdate',
    throttle(TIMEUPDATE_MS, () => sendEvent('timeupdate')),
  )
  video.textTracks.addEventListener('change', () => sendEvent('captions'))
  document.addEventListener('fullscreenchange', () => sendEvent('fullscreen'))
  const root = document.documentElement
  new MutationObserver(() => {
    const { error } = root.dataset
    if (error !== undefined) sendEvent('error', { code: error })
  }).observe(root, { attributeFilter: ['data-error'] })
  // Before that, loading the video would reset what a command has set.
  if (video.readyState >= HTMLMediaElement.HAVE_METADATA) sendEvent('ready')
  else video.addEventListener('loadedmetadata', () => sendEvent('ready'), { once: true })
}

/** Throttles `action`, with leading and trailing calls. */
function throttle(everyMs: number, action: () => void): () => void {
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

/** Returns a function that counts its calls and returns false above `max` in a second. */
function rateLimit(max: number): () => boolean {
  let since = 0
  let count = 0
  return () => {
    const now = performance.now()
    if (now - since >= 1000) [since, count] = [now, 0]
    count += 1
    return count <= max
  }
}
