'use client'

import {
  createElement,
  forwardRef,
  useEffect,
  useImperativeHandle,
  useRef,
  type ForwardRefExoticComponent,
  type RefAttributes,
} from 'react'
import { defineUploader, type ReelgateUploader as UploaderElement } from './element.ts'
import {
  setUploaderProperties,
  UPLOADER_EVENTS,
  uploaderAttributes,
  type UploaderEvent,
  type UploaderEventName,
  type UploaderOptions,
} from './options.ts'

type Handler<Name extends UploaderEventName> = ((event: UploaderEvent<Name>) => void) | undefined

export interface ReelgateUploaderProps extends UploaderOptions {
  id?: string | undefined
  className?: string | undefined
  style?: Readonly<Record<string, string | number>> | undefined
  onProgress?: Handler<'progress'>
  onComplete?: Handler<'complete'>
  onError?: Handler<'error'>
  onCancel?: Handler<'cancel'>
}

const HANDLERS = {
  progress: 'onProgress',
  complete: 'onComplete',
  error: 'onError',
  cancel: 'onCancel',
} as const satisfies Record<UploaderEventName, keyof ReelgateUploaderProps>

/** `<reelgate-uploader>` for React 18 and newer. The ref is the element; the server renders an empty one. */
export const ReelgateUploader: ForwardRefExoticComponent<
  ReelgateUploaderProps & RefAttributes<UploaderElement | null>
> = forwardRef<UploaderElement | null, ReelgateUploaderProps>((props, ref) => {
  const element = useRef<UploaderElement>(null)
  const latest = useRef(props)
  useImperativeHandle<UploaderElement | null, UploaderElement | null>(
    ref,
    () => element.current,
    [],
  )
  useEffect(() => {
    latest.current = props
  })
  useEffect(defineUploader, [])
  const { id, className, style, getUploadUrl, texts } = props
  useEffect(
    () => setUploaderProperties(element.current, { getUploadUrl, texts }),
    [getUploadUrl, texts],
  )
  // React 18 attaches no handlers to custom elements.
  useEffect(() => {
    const listening = new AbortController()
    for (const name of UPLOADER_EVENTS) {
      const call = (event: Event): void =>
        (latest.current[HANDLERS[name]] as ((event: Event) => void) | undefined)?.(event)
      element.current?.addEventListener(name, call, { signal: listening.signal })
    }
    return () => listening.abort()
  }, [])
  // React sets `class` of a custom element, and not `className`, in all versions.
  const attributes = { id, class: className, style, ...uploaderAttributes(props) }
  return createElement('reelgate-uploader', { ...attributes, ref: element })
})
ReelgateUploader.displayName = 'ReelgateUploader'
