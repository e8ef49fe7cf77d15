// The words between the player and the page that frames it (docs/embedding.md). Both sides read them
// here; what comes in is somebody else's and is taken apart property by property.

/** What the page may ask of the player. */
export type Command =
  | { method: 'play' | 'pause' | 'getState' }
  | { method: 'seek' | 'setVolume' | 'setRate'; value: number }
  | { method: 'setMuted'; value: boolean }
  /** A BCP 47 language, or null for none. */
  | { method: 'setCaptions'; value: string | null }

/** What the page may know of the player: nothing of the viewer, the session or the keys. */
export interface PlayerState {
  /** Seconds. */
  currentTime: number
  /** Seconds; 0 while it is not known. */
  duration: number
  paused: boolean
  ended: boolean
  muted: boolean
  /** 0 to 1. */
  volume: number
  playbackRate: number
  /** Language of the captions that are shown; null where none are. */
  captions: string | null
  /** Languages that captions exist in. */
  captionLanguages: string[]
  /** Full screen, or filling the window of the page. */
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

/** A command that was refused, by what was wrong with it. */
export type CommandError =
  'unknown_method' | 'invalid_value' | 'not_allowed' | 'no_such_captions' | 'failed'

const SOURCE = 'reelgate'
const VERSION = 1

/** Puts the sender's name and the version of the protocol on a message. */
export const withSender = (message: object): object => ({
  source: SOURCE,
  version: VERSION,
  ...message,
})

/** The message as it is where it is one of ours of this kind; else null. Only own properties count. */
export function readMessage(data: unknown, type: string): Map<string, unknown> | null {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return null
  const message = new Map<string, unknown>()
  for (const name of ['source', 'version', 'type', 'id', 'method', 'value', 'ok'])
    if (Object.hasOwn(data, name)) message.set(name, (data as Record<string, unknown>)[name])
  const isOurs = message.get('source') === SOURCE && message.get('version') === VERSION
  return isOurs && message.get('type') === type ? message : null
}
