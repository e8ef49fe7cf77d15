import { defineComponent, h, onMounted, shallowRef, watch, type PropType } from 'vue'
import {
  attributesOf,
  loadScript,
  PLAYER_EVENTS,
  type PlayerEvent,
  type PlayerEventName,
  type PlayerOptions,
  type ReelgateVideoElement,
} from './player/element.ts'

export { ReelgateUploader } from './uploader/vue.ts'
export type { ReelgateUploader as ReelgateUploaderElement } from './uploader/element.ts'
export type { UploaderEvent, UploaderOptions } from './uploader/options.ts'
export type { UploaderTexts } from './uploader/texts.ts'
export type {
  PlayerEvent,
  PlayerOptions,
  PlayerState,
  ReelgateVideoElement,
} from './player/element.ts'

const emitted = (event: PlayerEvent): boolean => event instanceof CustomEvent

/**
 * `<reelgate-video>` for Vue 3. Its exposed `element` is the element, null before it is mounted; the server renders
 * plain HTML.
 */
export const ReelgateVideo = defineComponent({
  name: 'ReelgateVideo',
  props: {
    src: { type: String, required: true },
    title: String,
    loading: String as PropType<PlayerOptions['loading']>,
    autoplay: Boolean,
    muted: Boolean,
    loop: Boolean,
    together: Boolean,
    skip: Boolean,
    start: Number,
    lang: String,
    captions: String,
    script: String,
  },
  emits: {
    ready: emitted,
    play: emitted,
    playing: emitted,
    pause: emitted,
    timeupdate: emitted,
    seeked: emitted,
    ended: emitted,
    ratechange: emitted,
    volumechange: emitted,
    captions: emitted,
    fullscreen: emitted,
    error: emitted,
  },
  setup(props, { emit, expose, slots }) {
    const element = shallowRef<ReelgateVideoElement | null>(null)
    expose({ element })
    // The type of `emit` has one overload for each name and none for any of them.
    const send = emit as (name: PlayerEventName, event: PlayerEvent) => void
    onMounted(() => {
      watch(() => props.script, loadScript, { immediate: true })
      for (const name of PLAYER_EVENTS)
        element.value?.addEventListener(name, (event) => send(name, event as PlayerEvent))
    })
    return () => h('reelgate-video', { ...attributesOf(props), ref: element }, slots.default?.())
  },
})
