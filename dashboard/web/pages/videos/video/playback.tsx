import {
  createContext,
  use,
  useCallback,
  useMemo,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import { ReelgateVideo } from '../../../../../player/embed-script/reelgate-video.ts'

/** The player of the page, for tabs that follow its time. */
interface Playback {
  /** Connects the player, or with null disconnects it. */
  attach: (element: Element | null) => void
  subscribe: (listener: () => void) => () => void
  /** The player's time in seconds; null until it is ready. */
  time: () => number | null
  seek: (seconds: number) => void
  /** Plays from a second on; opens the player if it is closed. */
  playFrom: (seconds: number) => void
  /** Takes what opens the player; returns what forgets it. */
  offerOpening: (open: () => void) => () => void
}

const PlaybackContext = createContext<Playback | null>(null)

const EVENTS = ['ready', 'timeupdate', 'seeked', 'pause', 'ended']

/** Gives the player's time to all below. */
export function PlaybackProvider({ children }: { children: ReactNode }) {
  const [playback] = useState(createPlayback)
  return <PlaybackContext value={playback}>{children}</PlaybackContext>
}

function createPlayback(): Playback {
  const listeners = new Set<() => void>()
  let player: ReelgateVideo | null = null
  let time: number | null = null
  const tell = (value: number | null): void => {
    time = value
    for (const listener of listeners) listener()
  }
  const follow = (): void => tell(player?.currentTime ?? null)
  let open: (() => void) | null = null
  /** Where the player begins once it is ready. */
  let begin: number | null = null
  const start = (): void => {
    if (begin === null || !player) return
    player.currentTime = begin
    begin = null
    // Without a click within its frame, a browser may refuse: the player then waits at the place.
    player.play().catch(() => {})
  }
  return {
    attach(element) {
      for (const name of EVENTS) player?.removeEventListener(name, follow)
      player?.removeEventListener('ready', start)
      player = element instanceof ReelgateVideo ? element : null
      for (const name of EVENTS) player?.addEventListener(name, follow)
      player?.addEventListener('ready', start)
      if (player === null) tell(null)
    },
    playFrom(seconds) {
      begin = seconds
      if (time !== null) start()
      else if (!player) open?.()
    },
    offerOpening(opening) {
      open = opening
      return () => {
        if (open === opening) open = null
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    time: () => time,
    seek(seconds) {
      if (player) player.currentTime = seconds
    },
  }
}

export function usePlayback(): Playback {
  const playback = use(PlaybackContext)
  if (!playback) throw new Error('PlaybackProvider is missing')
  return playback
}

/** The whole second that the player shows; null until it is ready. Renders again once a second. */
export function usePlayerSecond(): { second: number | null; seek: (seconds: number) => void } {
  const { subscribe, time, seek } = usePlayback()
  const read = useCallback(() => {
    const now = time()
    return now === null ? null : Math.floor(now)
  }, [time])
  const second = useSyncExternalStore(subscribe, read)
  return useMemo(() => ({ second, seek }), [second, seek])
}
