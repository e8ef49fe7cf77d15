/** Stores preferences and positions between visits. */
export interface Memory {
  read(name: string): string | null
  write(name: string, value: string | null): void
}

const PREFIX = 'reelgate:'

/**
 * Opens the browser's storage. If the browser denies it, as some do in third-party frames, values are
 * kept until the page closes.
 */
export function openMemory(storage: () => Storage = () => localStorage): Memory {
  const kept = new Map<string, string>()
  return {
    read(name) {
      try {
        return storage().getItem(PREFIX + name) ?? kept.get(name) ?? null
      } catch {
        return kept.get(name) ?? null
      }
    },
    write(name, value) {
      if (value === null) kept.delete(name)
      else kept.set(name, value)
      try {
        if (value === null) storage().removeItem(PREFIX + name)
        else storage().setItem(PREFIX + name, value)
      } catch {
        // Denied or full: the copy in memory remains.
      }
    },
  }
}

const VOLUME = 'volume'
const MUTED = 'muted'

/** Restores the viewer's volume and stores changes. The option `muted` overrides the stored value. */
export function connectAudio(
  video: HTMLVideoElement,
  memory: Memory,
  { muted }: { muted: boolean },
): void {
  const volume = Number(memory.read(VOLUME) ?? 1)
  video.volume = volume >= 0 && volume <= 1 ? volume : 1
  video.muted = muted || memory.read(MUTED) === 'true'
  // Muting by the address is not the viewer's choice, so it is not stored.
  let isMutedByOption = muted
  video.addEventListener('volumechange', () => {
    memory.write(VOLUME, String(video.volume))
    if (isMutedByOption && video.muted) return
    isMutedByOption = false
    memory.write(MUTED, String(video.muted))
  })
}
