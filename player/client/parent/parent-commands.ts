import type { ChosenRate } from '../playback/chosen-rate.ts'
import type { Command, CommandError, PlayerState } from './parent-protocol.ts'

/** What a command came to. */
export type Outcome = { ok: true } | { ok: false; error: CommandError }

const DONE: Outcome = { ok: true }

/** Does to the video what the page asks for. */
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
    const isRefused = (error as { name?: string }).name === 'NotAllowedError'
    return { ok: false, error: isRefused ? 'not_allowed' : 'failed' }
  }
}

function setCaptions(video: HTMLVideoElement, language: string | null): Outcome {
  const tracks = captionTracks(video)
  const wanted = tracks.find((track) => isSame(track.language, language))
  if (language !== null && !wanted) return { ok: false, error: 'no_such_captions' }
  for (const track of tracks) track.mode = track === wanted ? 'showing' : 'disabled'
  return DONE
}

const isSame = (one: string, other: string | null): boolean =>
  one.toLowerCase() === other?.toLowerCase()

const captionTracks = (video: HTMLVideoElement): TextTrack[] =>
  [...video.textTracks].filter(({ kind }) => kind === 'captions' || kind === 'subtitles')

/** What the page is told, as far as the video itself knows it. */
export function stateOf(video: HTMLVideoElement): Omit<PlayerState, 'playbackRate' | 'fullscreen'> {
  const { currentTime, paused, ended, muted, volume } = video
  const tracks = captionTracks(video)
  const shown = tracks.find(({ mode }) => mode === 'showing')
  return {
    ...{ currentTime, paused, ended, muted, volume },
    duration: knownDuration(video),
    captions: shown?.language ?? null,
    captionLanguages: tracks.map(({ language }) => language),
  }
}

const knownDuration = ({ duration }: HTMLVideoElement): number =>
  Number.isFinite(duration) ? duration : 0
