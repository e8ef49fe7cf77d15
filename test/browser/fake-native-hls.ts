// Runs in the page, before its own scripts: see `fake-eme.ts`.

export const HLS_TYPE = 'application/vnd.apple.mpegurl'
const FAIRPLAY_FORMAT = 'KEYFORMAT="com.apple.streamingkeydelivery"'

/**
 * Plays HLS as Safari's own player does, as far as it needs no device: it fetches playlists without a header,
 * asks for the key of each by its FairPlay address, and decodes the segments. Media Source Extensions stand in for
 * the player.
 */
export function pretendNativeHls({
  onPlaylist,
  needKey,
  append,
}: {
  /** Called with the address of each playlist. */
  onPlaylist: (url: string) => void
  /** Fires the `encrypted` event for a FairPlay address. */
  needKey: (uri: string) => void
  /** The browser's own `appendBuffer`. */
  append: (buffer: SourceBuffer, data: BufferSource) => void
}): void {
  const { prototype } = HTMLMediaElement
  const canPlayType: (this: HTMLMediaElement, type: string) => CanPlayTypeResult =
    Object.getOwnPropertyDescriptor(prototype, 'canPlayType')?.value
  Object.assign(prototype, {
    canPlayType(this: HTMLMediaElement, type: string): CanPlayTypeResult {
      return type === HLS_TYPE ? 'maybe' : canPlayType.call(this, type)
    },
  })
  const src = Object.getOwnPropertyDescriptor(prototype, 'src')
  Object.defineProperty(prototype, 'src', {
    ...src,
    set(this: HTMLMediaElement, value: string) {
      const url = new URL(value, location.href)
      src?.set?.call(this, url.pathname.endsWith('.m3u8') ? sourceOf(url.href) : value)
    },
  })

  function sourceOf(url: string): string {
    const source = new MediaSource()
    source.addEventListener('sourceopen', () => void playFrom(source, url), { once: true })
    return URL.createObjectURL(source)
  }

  async function playFrom(source: MediaSource, url: string): Promise<void> {
    const master = await fetchLines(url)
    const variantAt = master.findIndex((line) => line.startsWith('#EXT-X-STREAM-INF:'))
    const [video = '', audio = ''] = attribute(master[variantAt], 'CODECS').split(',')
    const sound = master.find((line) => line.startsWith('#EXT-X-MEDIA:TYPE=AUDIO'))
    const picture = source.addSourceBuffer(`video/mp4; codecs="${video}"`)
    const voice = source.addSourceBuffer(`audio/mp4; codecs="${audio}"`)
    await Promise.all([
      fill(picture, new URL(master[variantAt + 1] ?? '', url).href),
      fill(voice, new URL(attribute(sound, 'URI'), url).href),
    ])
    source.endOfStream()
  }

  async function fill(buffer: SourceBuffer, url: string): Promise<void> {
    const lines = await fetchLines(url)
    const key = lines.find(
      (line) => line.startsWith('#EXT-X-KEY:') && line.includes(FAIRPLAY_FORMAT),
    )
    needKey(attribute(key, 'URI'))
    const map = lines.find((line) => line.startsWith('#EXT-X-MAP:'))
    const files = [attribute(map, 'URI'), ...lines.filter((line) => !line.startsWith('#'))]
    for (const file of files) {
      const data = await (await fetch(new URL(file, url))).arrayBuffer()
      const done = new Promise((resolve) =>
        buffer.addEventListener('updateend', resolve, { once: true }),
      )
      append(buffer, data)
      await done
    }
  }

  async function fetchLines(url: string): Promise<string[]> {
    onPlaylist(url)
    const text = await (await fetch(url)).text()
    return text.split('\n').filter((line) => line !== '')
  }
}

const attribute = (line: string | undefined, name: string): string =>
  new RegExp(`[:,]${name}="([^"]*)"`).exec(line ?? '')?.[1] ?? ''
