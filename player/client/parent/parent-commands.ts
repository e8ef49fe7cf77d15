import type { ChosenRate } from '../playback/chosen-rate.ts'
import { seekTo } from '../playback/seek.ts'
import {
  readMessage,
  type Command,
  type CommandError,
  type PlayerState,
} from './parent-protocol.ts'

const ID_MAX = 2 ** 31

/**
 * Reads a command of the page. Returns null if the message does not have the form of a command, and an
 * error with the command's id if the method or its value is invalid.
 */
export function readCommand(
  data: unknown,
): { id: number; command: Command } | { id: number; error: CommandError } | null {
  const message = readMessage(data, 'command')
  const id = message?.get('id')
  if (!message || !isId(id)) return null
  const method = message.get('method')
  const isValid = typeof method === 'string' ? VALUES.get(method) : undefined
  if (!isValid) return { id, error: 'unknown_method' }
  const command = { method, value: message.get('value') }
  return isCommand(command, isValid) ? { id, command } : { id, error: 'invalid_value' }
}

/** Reads the page's response to a request of the player. Returns null for all other messages. */
export function readResponse(data: unknown): { id: number; ok: boolean } | null {
  const message = readMessage(data, 'answer')
  const id = message?.get('id')
  return message && isId(id) ? { id, ok: message.get('ok') === true } : null
}

const isId = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < ID_MAX

type Check = (value: unknown) => boolean

const isCommand = (
  command: object & { value: unknown },
  isValid: Check,
): command is Command & { value: unknown } => isValid(command.value)

const isAbsent: Check = (value) => value === undefined || value === null
const isBetween =
  (min: number, max: number): Check =>
  (value) =>
    typeof value === 'number' && value >= min && value <= max

/** Longer than any video. */
const SECONDS_MAX = 10_000_000
const LANGUAGE = /^[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8}){0,7}$/

/** What each method requires of its value. */
const VALUES = new Map<string, Check>([
  ['play', isAbsent],
  ['pause', isAbsent],
  ['getState', isAbsent],
  ['seek', isBetween(0, SECONDS_MAX)],
  ['setVolume', isBetween(0, 1)],
  ['setRate', isBetween(0.25, 4)],
  ['setMuted', (value) => typeof value === 'boolean'],
  ['setCaptions', (value) => value === null || (typeof value === 'string' && LANGUAGE.test(value))],
])

/** Result of a command. */
export type Outcome = { ok: true } | { ok: false; error: CommandError }

const DONE: Outcome = { ok: true }

/** Runs a command of the embedding page. */
export async function runCommand(
  video: HTMLVideoElement,
  rate: ChosenRate,
  command: Command,
): Promise<Outcome> {
  switch (command.method) {
    case 'play':
      return play(video)
    case 'pause':
      video.pause()
      return DONE
    case 'getState':
      return DONE
    case 'seek':
      seekTo(video, Math.min(command.value, knownDuration(video) || command.value))
      return DONE
    case 'setVolume':
      video.volume = command.value
      return DONE
    case 'setRate':
      rate.set(command.value)
      return DONE
    case 'setMuted':
      video.muted = command.value
      return DONE
    case 'setCaptions':
      return setCaptions(video, command.value)
  }
}

async function play(video: HTMLVideoElement): Promise<Outcome> {
  try {
    await video.play()
    return DONE
  } catch (error) {
    const isBlocked = error instanceof Error && error.name === 'NotAllowedError'
    return { ok: false, error: isBlocked ? 'not_allowed' : 'failed' }
  }
}

function setCaptions(video: HTMLVideoElement, language: string | null): Outcome {
  const tracks = captionTracks(video)
  const wanted = tracks.find((track) => isSame(track.language, language))
  if (language !== null && !wanted) return { ok: false, error: 'no_such_captions' }
  for (const track of tracks) track.mode = track === wanted ? 'showing' : 'disabled'
  return DONE
}

const isSame = (language: string, other: string | null): boolean =>
  language.toLowerCase() === other?.toLowerCase()

const captionTracks = (video: HTMLVideoElement): TextTrack[] =>
  [...video.textTracks].filter(({ kind }) => kind === 'captions' || kind === 'subtitles')

/** Returns the part of the state that can be read from the video element. */
export function stateOf(video: HTMLVideoElement): Omit<PlayerState, 'playbackRate' | 'fullscreen'> {
  const { currentTime, paused, ended, muted, volume } = video
  const tracks = captionTracks(video)
  const showing = tracks.filter(({ mode }) => mode === 'showing')
  // Named by `captions/shown-captions.ts`.
  const shown = showing.find(({ language }) => language !== video.dataset.secondCaptions)
  return {
    currentTime,
    paused,
    ended,
    muted,
    volume,
    duration: knownDuration(video),
    captions: shown?.language ?? null,
    captionLanguages: tracks.map(({ language }) => language),
  }
}

const knownDuration = ({ duration }: HTMLVideoElement): number =>
  Number.isFinite(duration) ? duration : 0
