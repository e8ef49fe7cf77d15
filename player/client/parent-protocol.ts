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
const ID_MAX = 2 ** 31

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

/**
 * A command from the page. Null for everything that is not in the form of one; an error with the
 * command's id where the form is right and what is asked for is not.
 */
export function readCommand(
  data: unknown,
): { id: number; command: Command } | { id: number; error: CommandError } | null {
  const message = readMessage(data, 'command')
  const id = message?.get('id')
  if (!message || !isId(id)) return null
  const method = message.get('method')
  const read = typeof method === 'string' ? VALUES.get(method) : undefined
  if (!read) return { id, error: 'unknown_method' }
  const value = message.get('value')
  return read(value)
    ? { id, command: { method, value } as Command }
    : { id, error: 'invalid_value' }
}

/** The page's answer to what the player asked of it; null for everything else. */
export function readAnswer(data: unknown): { id: number; ok: boolean } | null {
  const message = readMessage(data, 'answer')
  const id = message?.get('id')
  return message && isId(id) ? { id, ok: message.get('ok') === true } : null
}

const isId = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < ID_MAX

const isNothing = (value: unknown): boolean => value === undefined || value === null
const isBetween = (least: number, most: number) => (value: unknown) =>
  typeof value === 'number' && value >= least && value <= most

/** Longer than any film. */
const SECONDS_MAX = 10_000_000
const LANGUAGE = /^[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8}){0,7}$/

const VALUES = new Map<string, (value: unknown) => boolean>([
  ['play', isNothing],
  ['pause', isNothing],
  ['getState', isNothing],
  ['seek', isBetween(0, SECONDS_MAX)],
  ['setVolume', isBetween(0, 1)],
  ['setRate', isBetween(0.25, 4)],
  ['setMuted', (value) => typeof value === 'boolean'],
  ['setCaptions', (value) => value === null || (typeof value === 'string' && LANGUAGE.test(value))],
])
