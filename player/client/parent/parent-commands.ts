import type { ChosenRate } from '../playback/chosen-rate.ts'
import type { Command, CommandError, PlayerState } from './parent-protocol.ts'

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
      video.currentTime = Math.min(command.value, knownDuration(video) || command.value)
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

/** Returns the part of the state that the video element knows. */
export function stateOf(video: HTMLVideoElement): Omit<PlayerState, 'playbackRate' | 'fullscreen'> {
  const { currentTime, paused, ended, muted, volume } = video
  const tracks = captionTracks(video)
  const shown = tracks.find(({ mode }) => mode === 'showing')
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
