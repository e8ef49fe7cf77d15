import type { UploadProgress } from '../upload/upload-file.ts'
import type { GetUploadUrl, ReelgateUploader } from './element.ts'
import type { UploaderTexts } from './texts.ts'

/** Where an uploader gets the address of its upload from, and how it looks. One of the first three is needed. */
export interface UploaderOptions {
  /** The `upload_url` of one upload. */
  uploadUrl?: string | undefined
  /** An address of your server, which makes an upload for `filename` and `size_bytes` and responds with its `upload_url`. */
  endpoint?: string | undefined
  /** Makes an upload for a file and returns its `upload_url`. */
  getUploadUrl?: GetUploadUrl | undefined
  /** Which files are offered; `video/*` by default, so that a phone offers its camera roll. */
  accept?: string | undefined
  texts?: UploaderTexts | undefined
  lang?: string | undefined
}

/** What the events of an uploader have in `detail`. */
interface UploaderDetails {
  progress: UploadProgress
  complete: { videoId: string }
  error: { code: string; message: string }
  cancel: null
}

export type UploaderEventName = keyof UploaderDetails

/** Names of the events of the element. */
export const UPLOADER_EVENTS = [
  'progress',
  'complete',
  'error',
  'cancel',
] as const satisfies readonly UploaderEventName[]

export type UploaderEvent<Name extends UploaderEventName> = CustomEvent<UploaderDetails[Name]>

/** The attributes of the element. */
export const uploaderAttributes = (options: UploaderOptions) => ({
  'upload-url': options.uploadUrl,
  endpoint: options.endpoint,
  accept: options.accept,
  lang: options.lang,
})

/** Sets what no attribute can hold. */
export function setUploaderProperties(
  element: ReelgateUploader | null,
  { getUploadUrl, texts }: UploaderOptions,
): void {
  if (element) Object.assign(element, { getUploadUrl: getUploadUrl ?? null, texts: texts ?? {} })
}
