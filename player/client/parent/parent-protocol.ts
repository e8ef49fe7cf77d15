// The message protocol between the player and the embedding page (docs/embedding.md). Both sides use
// this module. Incoming messages are untrusted and are read property by property.

/** A command from the page to the player. */
export type Command =
  | { method: 'play' | 'pause' | 'getState' }
  | { method: 'seek' | 'setVolume' | 'setRate'; value: number }
  | { method: 'setMuted'; value: boolean }
  /** BCP 47 tag; null hides the captions. */
  | { method: 'setCaptions'; value: string | null }

/** State that is sent to the page. It contains nothing about the viewer, the session or the keys. */
export interface PlayerState {
  /** Seconds. */
  currentTime: number
  /** Seconds; 0 while unknown. */
  duration: number
  paused: boolean
  ended: boolean
  muted: boolean
  /** 0 to 1. */
  volume: number
  playbackRate: number
  /** Language of the visible captions; null if none are visible. */
  captions: string | null
  /** Languages of all caption tracks. */
  captionLanguages: string[]
  /** True in full screen, and while the player fills the page's window. */
  fullscreen: boolean
}

export type PlayerEvent =
  | 'ready'
  | 'play'
  | 'playing'
  | 'pause'
  | 'timeupdate'
  | 'seeked'
  | 'ended'
  | 'ratechange'
  | 'volumechange'
  | 'captions'
  | 'fullscreen'
  | 'error'

/** Why a command was refused. */
export type CommandError =
  'unknown_method' | 'invalid_value' | 'not_allowed' | 'no_such_captions' | 'failed'

const SOURCE = 'reelgate'
const VERSION = 1

/** Adds the sender and the protocol version to a message. */
export const withSender = (message: object): object => ({
  source: SOURCE,
  version: VERSION,
  ...message,
})

/** Reads a message of the protocol, or returns null. Ignores inherited properties. */
export function readMessage(data: unknown, type: string): Map<string, unknown> | null {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return null
  const message = new Map<string, unknown>()
  for (const name of ['source', 'version', 'type', 'id', 'method', 'value', 'ok'])
    if (Object.hasOwn(data, name)) message.set(name, Reflect.get(data, name))
  const isKnown = message.get('source') === SOURCE && message.get('version') === VERSION
  return isKnown && message.get('type') === type ? message : null
}
