import { defineComponent, h, onMounted, shallowRef, watchEffect, type PropType } from 'vue'
import {
  defineUploader,
  type GetUploadUrl,
  type ReelgateUploader as UploaderElement,
} from './element.ts'
import {
  setUploaderProperties,
  UPLOADER_EVENTS,
  uploaderAttributes,
  type UploaderEvent,
  type UploaderEventName,
} from './options.ts'
import type { UploaderTexts } from './texts.ts'

const emitted = (event: Event): boolean => event instanceof CustomEvent

/**
 * `<reelgate-uploader>` for Vue 3. Its exposed `element` is the element, null before it is mounted; the server renders an
 * empty one.
 */
export const ReelgateUploader = defineComponent({
  name: 'ReelgateUploader',
  props: {
    uploadUrl: String,
    endpoint: String,
    getUploadUrl: Function as PropType<GetUploadUrl>,
    accept: String,
    texts: Object as PropType<UploaderTexts>,
    lang: String,
  },
  emits: {
    progress: (event: UploaderEvent<'progress'>) => emitted(event),
    complete: (event: UploaderEvent<'complete'>) => emitted(event),
    error: (event: UploaderEvent<'error'>) => emitted(event),
    cancel: (event: UploaderEvent<'cancel'>) => emitted(event),
  },
  setup(props, { emit, expose }) {
    const element = shallowRef<UploaderElement | null>(null)
    expose({ element })
    // The type of `emit` has one overload for each name and none for any of them.
    const send = emit as (name: UploaderEventName, event: Event) => void
    onMounted(() => {
      defineUploader()
      watchEffect(() => setUploaderProperties(element.value, props))
      for (const name of UPLOADER_EVENTS)
        element.value?.addEventListener(name, (event) => send(name, event))
    })
    return () => h('reelgate-uploader', { ...uploaderAttributes(props), ref: element })
  },
})
