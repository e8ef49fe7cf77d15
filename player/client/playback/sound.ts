import type { Memory } from '../memory.ts'

const VOLUME = 'volume'
const MUTED = 'muted'

/** Begins as loud as the viewer left it, and remembers each change; `muted` wins where it is asked for. */
export function connectSound(
  video: HTMLVideoElement,
  memory: Memory,
  { muted }: { muted: boolean },
): void {
  const volume = Number(memory.read(VOLUME) ?? 1)
  video.volume = volume >= 0 && volume <= 1 ? volume : 1
  video.muted = muted || memory.read(MUTED) === 'true'
  // What the address asked for is not the viewer's choice.
  let isAsked = muted
  video.addEventListener('volumechange', () => {
    memory.write(VOLUME, String(video.volume))
    if (isAsked && video.muted) return
    isAsked = false
    memory.write(MUTED, String(video.muted))
  })
}
