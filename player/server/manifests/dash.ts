import { create } from 'xmlbuilder2'
import { encryptionScheme } from '../../../domain/accounts/plan.ts'
import type { AudioPurpose } from '../../../domain/encoding/audio-purpose.ts'
import type { Rendition } from '../../../domain/videos/rendition.ts'
import {
  audioOf,
  keyFor,
  labelOf,
  rungsOf,
  segmentBase,
  systemsOf,
  type Presentation,
} from './presentation.ts'

type Node = ReturnType<typeof create>

const CLEARKEY_SYSTEM = 'e2719d58-a985-b3c9-781a-b030af78d30e'

/**
 * Writes the MPD of every published rendition (ISO/IEC 23009-1): an adaptation set for each key, exact
 * segment durations in ticks, and video sets marked as switchable.
 */
export function dashMpd(presentation: Presentation): string {
  const mpd = create({ version: '1.0', encoding: 'UTF-8' }).ele('MPD', {
    xmlns: 'urn:mpeg:dash:schema:mpd:2011',
    'xmlns:cenc': 'urn:mpeg:cenc:2013',
    ...(presentation.protection === 'multi-drm' && { 'xmlns:mspr': 'urn:microsoft:playready' }),
    profiles: 'urn:mpeg:dash:profile:isoff-live:2011',
    ...timing(presentation),
  })
  const period = mpd.ele('Period', { id: '0', start: 'PT0S' })
  const groups = byKey(presentation)
  const ids = groups.map((_, index) => String(index + 1))
  for (const [index, group] of groups.entries()) {
    const others = ids.filter((id) => id !== ids[index]).join(',')
    addVideoSet(period, presentation, { id: ids[index] ?? '', others, group })
  }
  for (const [index, track] of audioOf(presentation).entries())
    addAudioSet(period, presentation, track, { id: String(101 + index), isMain: index === 0 })
  if (presentation.growth?.plannedMs) addClock(mpd)
  return mpd.end()
}

/**
 * The attributes of time. A video that grows is a recording in progress: Shaka Player asks for the manifest again until
 * it is static. The clock of 1970 and the planned length make everything before its end available, so the viewer's
 * clock does not matter.
 */
function timing({ renditions, growth }: Presentation): Record<string, string> {
  const durationMs = Math.max(
    ...(growth?.plannedMs ? [growth.plannedMs] : renditions.map((one) => one.durationMs)),
  )
  const mediaPresentationDuration = `PT${durationMs / 1000}S`
  if (!growth?.plannedMs)
    return { type: 'static', minBufferTime: 'PT4S', mediaPresentationDuration }
  return {
    type: 'dynamic',
    availabilityStartTime: '1970-01-01T00:00:00Z',
    publishTime: new Date().toISOString(),
    minimumUpdatePeriod: `PT${UPDATE_SECONDS}S`,
    suggestedPresentationDelay: 'PT0S',
    minBufferTime: 'PT2S',
    mediaPresentationDuration,
  }
}

/** Players that find no clock complain, though a video that grows needs none. */
const addClock = (mpd: Node): Node =>
  mpd.ele('UTCTiming', {
    schemeIdUri: 'urn:mpeg:dash:utc:direct:2014',
    value: new Date().toISOString(),
  })

/** How often players ask whether a video has grown. */
const UPDATE_SECONDS = 2

/** The video renditions, those of one key together: licences open or withhold keys, not renditions. */
function byKey(presentation: Presentation): Rendition[][] {
  const groups = new Map<string, Rendition[]>()
  for (const rung of rungsOf(presentation)) {
    const { keyIdHex } = keyFor(presentation, rung)
    groups.set(keyIdHex, [...(groups.get(keyIdHex) ?? []), rung])
  }
  return [...groups.values()]
}

function addVideoSet(
  period: Node,
  presentation: Presentation,
  { id, others, group }: { id: string; others: string; group: Rendition[] },
): void {
  const [first] = group
  if (!first) return
  const set = period.ele('AdaptationSet', {
    id,
    contentType: 'video',
    mimeType: 'video/mp4',
    segmentAlignment: 'true',
    startWithSAP: '1',
  })
  addProtection(set, presentation, first)
  if (others !== '')
    set.ele('SupplementalProperty', {
      schemeIdUri: 'urn:mpeg:dash:adaptation-set-switching:2016',
      value: others,
    })
  for (const rung of group) {
    addRepresentation(set, presentation, rung, {
      width: String(rung.width),
      height: String(rung.height),
      sar: '1:1',
      frameRate: rung.frameRate ?? '',
    })
  }
}

/** The classification of audio purposes of TV-Anytime, which DASH-IF and DVB use. */
const AUDIO_PURPOSE = 'urn:tva:metadata:cs:AudioPurposeCS:2007'

const ACCESSIBILITY: Partial<Record<AudioPurpose, string>> = {
  description: '1',
  'clear-speech': '2',
}

/** ISO/IEC 23009-1, 5.8.5.5. */
const ROLES: Readonly<Record<AudioPurpose, string>> = {
  description: 'description',
  commentary: 'commentary',
  'clear-speech': 'enhanced-audio-intelligibility',
  dub: 'dub',
}

function addAudioSet(
  period: Node,
  presentation: Presentation,
  track: Rendition,
  { id, isMain }: { id: string; isMain: boolean },
): void {
  const set = period.ele('AdaptationSet', {
    id,
    contentType: 'audio',
    mimeType: 'audio/mp4',
    segmentAlignment: 'true',
    startWithSAP: '1',
  })
  if (track.language !== null) set.att('lang', track.language)
  addProtection(set, presentation, track)
  const { purpose } = track
  const accessibility = purpose && ACCESSIBILITY[purpose]
  if (accessibility) set.ele('Accessibility', { schemeIdUri: AUDIO_PURPOSE, value: accessibility })
  for (const value of [isMain ? 'main' : 'alternate', ...(purpose ? [ROLES[purpose]] : [])])
    set.ele('Role', { schemeIdUri: 'urn:mpeg:dash:role:2011', value })
  const label = labelOf(track)
  if (label !== null) set.ele('Label').txt(label)
  addRepresentation(set, presentation, track, { audioSamplingRate: String(track.sampleRate) })
}

function addProtection(set: Node, presentation: Presentation, rendition: Rendition): void {
  const key = keyFor(presentation, rendition)
  set.ele('ContentProtection', {
    schemeIdUri: 'urn:mpeg:dash:mp4protection:2011',
    value: encryptionScheme(presentation.protection),
    'cenc:default_KID': uuid(key.keyIdHex),
  })
  if (presentation.protection === 'clearkey') {
    set.ele('ContentProtection', {
      schemeIdUri: `urn:uuid:${CLEARKEY_SYSTEM}`,
      value: 'ClearKey1.0',
    })
    return
  }
  for (const { systemId, psshBase64, proBase64 } of systemsOf(key)) {
    const element = set.ele('ContentProtection', { schemeIdUri: `urn:uuid:${systemId}` })
    if (psshBase64 !== undefined) element.ele('cenc:pssh').txt(psshBase64)
    if (proBase64 !== undefined) element.ele('mspr:pro').txt(proBase64)
  }
}

function addRepresentation(
  set: Node,
  presentation: Presentation,
  rendition: Rendition,
  attributes: Record<string, string>,
): void {
  const { name, codecs, bandwidthBps, timescale } = rendition
  const representation = set.ele('Representation', {
    id: name,
    codecs,
    bandwidth: String(bandwidthBps),
    ...attributes,
  })
  if (rendition.kind === 'audio')
    representation.ele('AudioChannelConfiguration', {
      schemeIdUri: 'urn:mpeg:dash:23003:3:audio_channel_configuration:2011',
      value: String(rendition.channels ?? 2),
    })
  const base = segmentBase(presentation, rendition)
  const start = presentation.growth?.starts.get(name)
  const template = representation.ele('SegmentTemplate', {
    timescale: String(timescale),
    initialization: `${base}/init.mp4`,
    media: `${base}/$Number$.m4s`,
    startNumber: String(start?.firstSegment ?? 1),
  })
  const timeline = template.ele('SegmentTimeline')
  for (const [index, { ticks, repeats }] of runs(rendition).entries()) {
    const time = index === 0 && start ? { t: String(start.startTicks) } : {}
    const element = timeline.ele('S', { ...time, d: String(ticks) })
    if (repeats > 0) element.att('r', String(repeats))
  }
}

/** Joins consecutive segments of equal duration. */
function runs({ segments }: Rendition): { ticks: number; repeats: number }[] {
  const found: { ticks: number; repeats: number }[] = []
  for (const { durationTicks: ticks } of segments) {
    const last = found.at(-1)
    if (last?.ticks === ticks) last.repeats += 1
    else found.push({ ticks, repeats: 0 })
  }
  return found
}

const uuid = (hex: string): string =>
  hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
