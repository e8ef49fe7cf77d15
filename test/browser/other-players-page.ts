/** What a player reads of the keys of one track, or of the whole video for a master playlist. */
export interface Reading {
  /** `cbcs`; null in playlists, which do not name it. */
  scheme: string | null
  /** Of each system by its UUID: the pssh boxes in base64. Null if the player reads none, as for FairPlay. */
  boxes: Record<string, string | null>
  /** 32 characters of lowercase hex each. */
  keyIds: string[]
}

/** A page that has Shaka Player and dash.js; hls.js is a module. */
export const PAGE = `<!doctype html><title>readers</title>
<script>
  // Chromium without a CDM refuses the video, and Shaka Player then forgets it: nothing responds until it is read.
  navigator.mediaCapabilities.decodingInfo = () => new Promise(() => {})
</script>
<script src="/shaka.js"></script><script src="/dash.js"></script>`

/** Script of a function in the page: reads a DASH manifest, by its address, as dash.js does, one reading for each set. */
export const DASH_JS = `async (url) => {
  const player = dashjs.MediaPlayer().create()
  player.initialize()
  const manifest = await new Promise((resolve, reject) =>
    player.retrieveManifest(url, (parsed, error) => (parsed ? resolve(parsed) : reject(error))))
  return manifest.Period[0].AdaptationSet.map(({ ContentProtection: all }) => {
    const [common, ...systems] = all
    return {
      scheme: common.value,
      keyIds: [common['cenc:default_KID'].replaceAll('-', '')],
      boxes: Object.fromEntries(systems.map(({ schemeIdUri, pssh }) =>
        [schemeIdUri.slice('urn:uuid:'.length), pssh ? pssh.__text : null])),
    }
  })
}`

/** The same for Shaka Player, of a DASH manifest or a master playlist: one reading for each stream. */
export const SHAKA = `async (url) => {
  const systemIds = {
    'com.widevine.alpha': 'edef8ba9-79d6-4ace-a3c8-27dcd51d21ed',
    'com.microsoft.playready': '9a04f079-9840-4286-ab92-e65be0885f95',
    'com.apple.fps': '94ce86fb-07ff-4f43-adb8-93d2fa968ca2',
  }
  const player = new shaka.Player()
  await player.attach(document.createElement('video'))
  const parsed = new Promise((resolve) => player.addEventListener('manifestparsed', resolve))
  const refused = player.load(url).then(() => null, (error) => error)
  const first = await Promise.race([parsed, refused])
  if (first instanceof shaka.util.Error) throw new Error('Shaka ' + first.code + ': ' + first.data[0])
  const { variants } = player.getManifest()
  const streams = new Set(variants.flatMap(({ video, audio }) => [video, audio]))
  const readings = []
  for (const stream of streams) {
    await stream.createSegmentIndex()
    const infos = stream.drmInfos
    readings.push({
      scheme: [...new Set(infos.map(({ encryptionScheme }) => encryptionScheme))].join(),
      keyIds: [...new Set(infos.flatMap(({ keyIds }) => [...keyIds]))],
      boxes: Object.fromEntries(infos.map(({ keySystem, initData }) => [
        systemIds[keySystem],
        (initData ?? []).map(({ initData: box }) => base64(box)).join() || null,
      ])),
    })
  }
  return readings
}`

/** The same for hls.js: the keys of a media playlist, or the session keys of a master playlist. */
export const HLS_JS = `async (url) => {
  const { M3U8Parser, PlaylistLevelType } = await import('/hls.mjs')
  const text = await (await fetch(url)).text()
  const isMedia = M3U8Parser.isMediaPlaylist(text)
  const groups = isMedia
    ? [Object.values(M3U8Parser.parseLevelPlaylist(text, url, 0, PlaylistLevelType.MAIN, 0, null).fragments[0].levelkeys)]
    : M3U8Parser.parseMasterPlaylist(text, url).sessionKeys.map((key) => [key])
  const formats = {
    'com.microsoft.playready': '9a04f079-9840-4286-ab92-e65be0885f95',
    'com.apple.streamingkeydelivery': '94ce86fb-07ff-4f43-adb8-93d2fa968ca2',
  }
  return groups.map((keys) => {
    const read = keys.map((key) => key.getDecryptData('initSegment'))
    return {
      scheme: null,
      keyIds: [...new Set(read.flatMap(({ keyId, pssh }) => keyId && pssh ? [hex(keyId)] : []))],
      boxes: Object.fromEntries(read.map(({ keyFormat, pssh }) => [
        formats[keyFormat] ?? keyFormat.slice('urn:uuid:'.length),
        pssh ? base64(pssh) : null,
      ])),
    }
  })
}`

/** What the scripts above use. */
export const HELPERS = `
const base64 = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')`
