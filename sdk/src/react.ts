'use client'

import {
  createElement,
  forwardRef,
  useEffect,
  useImperativeHandle,
  useRef,
  type ForwardRefExoticComponent,
  type ReactNode,
  type RefAttributes,
} from 'react'
import {
  attributesOf,
  loadScript,
  PLAYER_EVENTS,
  type PlayerEvent,
  type PlayerOptions,
  type ReelgateVideoElement,
} from './player/element.ts'

export { ReelgateUploader } from './uploader/react.ts'
export type { ReelgateUploaderProps } from './uploader/react.ts'
export type { ReelgateUploader as ReelgateUploaderElement } from './uploader/element.ts'
export type { UploaderEvent, UploaderOptions } from './uploader/options.ts'
export type { UploaderTexts } from './uploader/texts.ts'
export type {
  PlayerEvent,
  PlayerOptions,
  PlayerState,
  ReelgateVideoElement,
} from './player/element.ts'

type Handler = ((event: PlayerEvent) => void) | undefined

export interface ReelgateVideoProps extends PlayerOptions {
  id?: string | undefined
  className?: string | undefined
  style?: Readonly<Record<string, string | number>> | undefined
  /** Shown until the script has loaded, and by search engines. */
  children?: ReactNode
  onReady?: Handler
  onPlay?: Handler
  onPlaying?: Handler
  onPause?: Handler
  onTimeUpdate?: Handler
  onSeeked?: Handler
  onEnded?: Handler
  onRateChange?: Handler
  onVolumeChange?: Handler
  onCaptions?: Handler
  onFullscreen?: Handler
  onError?: Handler
}

const HANDLERS = {
  ready: 'onReady',
  play: 'onPlay',
  playing: 'onPlaying',
  pause: 'onPause',
  timeupdate: 'onTimeUpdate',
  seeked: 'onSeeked',
  ended: 'onEnded',
  ratechange: 'onRateChange',
  volumechange: 'onVolumeChange',
  captions: 'onCaptions',
  fullscreen: 'onFullscreen',
  error: 'onError',
} as const satisfies Record<(typeof PLAYER_EVENTS)[number], keyof ReelgateVideoProps>

/** `<reelgate-video>` for React 18 and newer. The ref is the element; the server renders plain HTML. */
export const ReelgateVideo: ForwardRefExoticComponent<
  ReelgateVideoProps & RefAttributes<ReelgateVideoElement | null>
> = forwardRef<ReelgateVideoElement | null, ReelgateVideoProps>((props, ref) => {
  const element = useRef<ReelgateVideoElement>(null)
  const latest = useRef(props)
  useImperativeHandle<ReelgateVideoElement | null, ReelgateVideoElement | null>(
    ref,
    () => element.current,
    [],
  )
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => loadScript(props.script), [props.script])
  // React 18 attaches no handlers to custom elements.
  useEffect(() => {
    const listening = new AbortController()
    for (const name of PLAYER_EVENTS) {
      const call = (event: Event): void => latest.current[HANDLERS[name]]?.(event as PlayerEvent)
      element.current?.addEventListener(name, call, { signal: listening.signal })
    }
    return () => listening.abort()
  }, [])
  const { id, className, style, children } = props
  // React sets `class` of a custom element, and not `className`, in all versions.
  const attributes = { id, class: className, style, ...attributesOf(props) }
  return createElement('reelgate-video', { ...attributes, ref: element }, children)
})
ReelgateVideo.displayName = 'ReelgateVideo'
