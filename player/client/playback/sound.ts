import type { Memory } from '../memory.ts'

const VOLUME = 'volume'
const MUTED = 'muted'

/** Restores the viewer's volume and remembers changes. The option `muted` overrides the memory. */
export function connectSound(
  video: HTMLVideoElement,
  memory: Memory,
  { muted }: { muted: boolean },
): void {
  const volume = Number(memory.read(VOLUME) ?? 1)
  video.volume = volume >= 0 && volume <= 1 ? volume : 1
  video.muted = muted || memory.read(MUTED) === 'true'
  // Muting by the address is not the viewer's choice, so it is not remembered.
  let isMutedByOption = muted
  video.addEventListener('volumechange', () => {
    memory.write(VOLUME, String(video.volume))
    if (isMutedByOption && video.muted) return
    isMutedByOption = false
    memory.write(MUTED, String(video.muted))
  })
}
