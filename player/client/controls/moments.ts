import { isolateIn } from '../../../domain/isolate-text.ts'
import type { PlayerExtras } from '../../player-data.ts'
import { element } from '../element.ts'
import { clockTime } from '../locales/words.ts'
import { seekTo } from '../playback/seek.ts'
import { mergeClose } from './merge-close.ts'

type Moments = PlayerExtras['moments']

/** Markers that are closer than this would cover each other. */
const MARKER_PX = 16
/** How near the pointer has to be to a marker. */
const REACH_PX = 9
/** A pointer that moves further drags the seek bar. */
const STILL_PX = 4
/** Where Media Chrome keeps the text of the card above the pointer. */
const CARD_TEXT = 'mediapreviewchapter'

interface Marker {
  dot: HTMLElement
  /** Seconds. */
  timestamp: number
  label: string
}

/**
 * Puts a marker on the seek bar for each moment, or one for several that are close. Near a marker, the card above the
 * pointer names the moment beside its picture, and a click goes exactly there. Keyboards and screen readers have the
 * menu of moments instead.
 */
export function addMoments(video: HTMLVideoElement, moments: Moments): void {
  const rail = element('moments')
  const bar = document.querySelector<HTMLElement>('media-time-range')
  if (!rail || !bar || moments.length === 0) return
  let markers: Marker[] = []
  const draw = (): void => {
    const { duration } = video
    if (!Number.isFinite(duration) || duration <= 0) return
    const apart = (MARKER_PX / Math.max(1, rail.clientWidth)) * duration
    const known = moments.filter(({ timestamp }) => timestamp <= duration)
    markers = mergeClose(known, apart).map((group) => markerOf(duration, group))
    rail.replaceChildren(...markers.map(({ dot }) => dot))
  }
  const nearest = (x: number): Marker | undefined =>
    markers.find(({ dot }) => {
      const { left, width } = dot.getBoundingClientRect()
      return Math.abs(left + width / 2 - x) <= REACH_PX
    })
  nameOnHover(bar, () => markers, nearest)
  let pressedAt = 0
  bar.addEventListener('pointerdown', ({ clientX }) => (pressedAt = clientX))
  // After the seek bar has gone to the place of the pointer.
  bar.addEventListener('click', ({ clientX }) => {
    const marker = Math.abs(clientX - pressedAt) < STILL_PX ? nearest(clientX) : undefined
    if (marker) seekTo(video, marker.timestamp)
  })
  video.addEventListener('durationchange', draw)
  new ResizeObserver(draw).observe(rail)
}

function nameOnHover(
  bar: HTMLElement,
  markers: () => readonly Marker[],
  nearest: (x: number) => Marker | undefined,
): void {
  const card = bar.shadowRoot?.querySelector('media-preview-chapter-display')
  if (!card) return
  let shown: Marker | undefined
  // Media Chrome writes the chapter some time after the pointer has moved.
  const keep = new MutationObserver(() => {
    if (shown && card.getAttribute(CARD_TEXT) !== shown.label)
      card.setAttribute(CARD_TEXT, shown.label)
  })
  keep.observe(card, { attributeFilter: [CARD_TEXT] })
  const show = (marker: Marker | undefined): void => {
    if (marker) card.setAttribute(CARD_TEXT, marker.label)
    else if (shown) card.setAttribute(CARD_TEXT, bar.getAttribute(CARD_TEXT) ?? '')
    shown = marker
    card.toggleAttribute('data-moments', marker !== undefined)
    for (const one of markers()) one.dot.classList.toggle('near', one === marker)
  }
  bar.addEventListener('pointermove', ({ clientX }) => show(nearest(clientX)))
  bar.addEventListener('pointerleave', () => show(undefined))
}

/** A marker of moments that are close together, which stands for the first of them. */
function markerOf(duration: number, group: Moments): Marker {
  const timestamp = group[0]?.timestamp ?? 0
  const label = group
    .map((moment) => `${clockTime(moment.timestamp)} ${isolateIn('', moment.label)}`)
    .join('\n')
  const dot = document.createElement('span')
  dot.className = 'moment'
  dot.classList.toggle('many', group.length > 1)
  dot.style.setProperty('--at', String(timestamp / duration))
  dot.dataset.label = label
  return { dot, timestamp, label }
}
