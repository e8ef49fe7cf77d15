import { demandsOf, type KeyDemands } from '../../../domain/drm/licence-policy.ts'
import type { AudioPurpose } from '../../../domain/encoding/audio-purpose.ts'
import { framesPerSecond, type Rendition } from '../../../domain/videos/rendition.ts'
import { hlsKeyLine } from '../../../drm/hls-key-line.ts'
import { paths } from '../paths.ts'
import {
  audioNames,
  audioOf,
  keyFor,
  rungsOf,
  segmentBase,
  systemsOf,
  type Presentation,
} from './presentation.ts'

/** Writes the HLS master playlist of every published rendition (RFC 8216). */
export function hlsMaster(presentation: Presentation): string {
  const audio = audioOf(presentation)
  const head = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS']
  const tags = [...sessionKeys(presentation), ...mediaTags(audio)]
  return `${[...head, ...tags, ...variantTags(presentation, audio)].join('\n')}\n`
}

/** The keys of all renditions for each DRM system, so that players can ask for licences early; none for ClearKey. */
function sessionKeys(presentation: Presentation): string[] {
  if (presentation.protection === 'clearkey') return []
  const used = new Set(presentation.renditions.map((rendition) => keyFor(presentation, rendition)))
  const lines = [...used].flatMap(systemsOf).map(({ hlsMaster: tag }) => hlsKeyLine(tag, 'master'))
  // No two tags may be equal (RFC 8216, section 4.3.4.5).
  return [...new Set(lines)]
}

/** Players without this output protection leave the variant out (RFC 8216, section 4.3.4.2). */
const HDCP_LEVELS: Readonly<Record<KeyDemands['hdcp'], string>> = {
  none: 'NONE',
  attempt: 'NONE',
  type0: 'TYPE-0',
  type1: 'TYPE-1',
}

function hdcpLevel(presentation: Presentation, rung: Rendition): string[] {
  if (presentation.protection === 'clearkey') return []
  const { trackTypes } = keyFor(presentation, rung)
  return [`HDCP-LEVEL=${HDCP_LEVELS[demandsOf(trackTypes, presentation.licencePolicy).hdcp]}`]
}

/** By which devices find the tracks that their settings ask for (HLS Authoring Specification for Apple Devices, "Accessibility"). */
const CHARACTERISTICS: Partial<Record<AudioPurpose, string>> = {
  description: 'public.accessibility.describes-video',
  'clear-speech': 'public.accessibility.enhances-speech-intelligibility',
}

/**
 * The audio tracks. Devices choose by language and characteristics, so of tracks that are equal in both they choose only the
 * first (RFC 8216, section 4.3.4.1.1), and never a commentary.
 */
function mediaTags(audio: Rendition[]): string[] {
  const names = audioNames(audio)
  const choices = new Set<string>()
  return audio.map(({ language, purpose, channels, name }, index) => {
    const isMain = index === 0
    const characteristics = purpose && CHARACTERISTICS[purpose]
    const choice = JSON.stringify([language, characteristics])
    const isChosen = isMain || (purpose !== 'commentary' && !choices.has(choice))
    if (isChosen) choices.add(choice)
    const attributes = [
      'TYPE=AUDIO',
      'GROUP-ID="audio"',
      `NAME="${attributeText(names[index] ?? name)}"`,
      ...(language === null ? [] : [`LANGUAGE="${attributeText(language)}"`]),
      `DEFAULT=${isMain ? 'YES' : 'NO'}`,
      `AUTOSELECT=${isChosen ? 'YES' : 'NO'}`,
      ...(characteristics ? [`CHARACTERISTICS="${characteristics}"`] : []),
      `CHANNELS="${channels ?? 2}"`,
      `URI="${name}.m3u8"`,
    ]
    return `#EXT-X-MEDIA:${attributes.join(',')}`
  })
}

/** Each video rendition as a variant. Its bit rates include the audio track with the highest ones. */
function variantTags(presentation: Presentation, audio: Rendition[]): string[] {
  const audioPeak = Math.max(0, ...audio.map(({ bandwidthBps }) => bandwidthBps))
  const audioAverage = Math.max(0, ...audio.map(({ averageBandwidthBps }) => averageBandwidthBps))
  return rungsOf(presentation).flatMap((rung) => {
    const codecs = [rung.codecs, ...(audio[0] ? [audio[0].codecs] : [])].join(',')
    const attributes = [
      `BANDWIDTH=${rung.bandwidthBps + audioPeak}`,
      `AVERAGE-BANDWIDTH=${rung.averageBandwidthBps + audioAverage}`,
      `CODECS="${codecs}"`,
      `RESOLUTION=${rung.width}x${rung.height}`,
      `FRAME-RATE=${framesPerSecond(rung.frameRate ?? '0/1').toFixed(3)}`,
      ...hdcpLevel(presentation, rung),
      ...(audio.length > 0 ? ['AUDIO="audio"'] : []),
      'CLOSED-CAPTIONS=NONE',
    ]
    return [`#EXT-X-STREAM-INF:${attributes.join(',')}`, `${rung.name}.m3u8`]
  })
}

/** Writes a rendition's media playlist, with the addresses of its keys and encrypted segments. */
export function hlsMedia(presentation: Presentation, rendition: Rendition): string {
  const { timescale, segments } = rendition
  const base = segmentBase(presentation, rendition)
  const seconds = segments.map(({ durationTicks }) => durationTicks / timescale)
  const target = Math.max(1, ...seconds.map((value) => Math.round(value)))
  return `${[
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${target}`,
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXT-X-MAP:URI="${base}/init.mp4"`,
    ...keyTags(presentation, rendition),
    ...seconds.flatMap((value, index) => [
      `#EXTINF:${value.toFixed(6)},`,
      `${base}/${index + 1}.m4s`,
    ]),
    '#EXT-X-ENDLIST',
  ].join('\n')}\n`
}

function keyTags(presentation: Presentation, rendition: Rendition): string[] {
  const key = keyFor(presentation, rendition)
  if (presentation.protection === 'clearkey') {
    const uri = presentation.embedBase + paths.clearKey(key.keyIdHex)
    return [`#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI="${uri}",KEYFORMAT="identity"`]
  }
  return systemsOf(key).map(({ hlsMedia: tag }) => hlsKeyLine(tag, 'media'))
}

/** Quoted strings cannot contain quotes or line breaks (RFC 8216, section 4.2). */
const attributeText = (text: string): string => text.replaceAll('"', ' ')
