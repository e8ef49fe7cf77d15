import {
  FILE_UNREADABLE,
  type Delay,
  type NamedFile,
  type UploadItem,
  type UploadState,
} from './upload-item.ts'

/** How many files are sent at the same time. */
const UPLOADS_AT_ONCE = 3

export type UploadEvent<F extends NamedFile = NamedFile> =
  | { type: 'start' }
  | { type: 'created'; uploadId: number }
  | { type: 'sent'; bytes: number; bytesPerSecond: number | null }
  | { type: 'delay'; delay: Delay }
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'choose'; file: F }
  | { type: 'fail'; failure: string }
  /** The server does not know the upload any more, so another attempt begins at the first byte. */
  | { type: 'gone'; failure: string }
  | { type: 'done'; videoId: string }
  | { type: 'cancel' }

/** The states in which an event counts. One that comes too late, such as the progress of a paused upload, changes nothing. */
const FROM: Record<UploadEvent['type'], readonly UploadState[]> = {
  start: ['waiting'],
  created: ['waiting', 'uploading', 'paused', 'failed', 'cancelled'],
  sent: ['uploading'],
  delay: ['uploading'],
  pause: ['waiting', 'uploading'],
  resume: ['paused', 'failed'],
  choose: ['paused', 'failed'],
  fail: ['uploading'],
  gone: ['uploading'],
  done: ['uploading', 'paused'],
  cancel: ['waiting', 'uploading', 'paused', 'failed'],
}

/** The upload after an event; the same object if the event does not count in its state. */
export function nextItem<F extends NamedFile>(
  item: UploadItem<F>,
  event: UploadEvent<F>,
): UploadItem<F> {
  if (!FROM[event.type].includes(item.state)) return item
  const still = { ...item, delay: null, bytesPerSecond: null }
  switch (event.type) {
    case 'start':
      return item.file === null ? item : { ...still, state: 'uploading' }
    case 'created':
      return { ...item, uploadId: event.uploadId }
    case 'sent': {
      const sentBytes = Math.min(event.bytes, item.sizeBytes)
      return { ...item, sentBytes, bytesPerSecond: event.bytesPerSecond, delay: null }
    }
    case 'delay':
      return { ...still, delay: event.delay }
    case 'pause':
      return { ...still, state: 'paused' }
    case 'resume':
      return item.file === null ? item : { ...still, state: 'waiting', failure: null }
    case 'choose':
      return { ...still, state: 'waiting', failure: null, file: event.file }
    case 'fail':
      return { ...still, state: 'failed', ...failureOf(item, event.failure) }
    case 'gone':
      return { ...still, state: 'failed', failure: event.failure, sentBytes: 0, uploadId: null }
    case 'done':
      return { ...still, state: 'done', sentBytes: item.sizeBytes, videoId: event.videoId }
    case 'cancel':
      return { ...still, state: 'cancelled' }
  }
}

/** A file that cannot be read has to be chosen again. */
const failureOf = <F extends NamedFile>({ file }: UploadItem<F>, failure: string) => ({
  failure,
  file: failure === FILE_UNREADABLE ? null : file,
})

/** The keys of the uploads to start now, in their order. */
export function toStart(items: readonly UploadItem[]): string[] {
  const free = UPLOADS_AT_ONCE - items.filter(({ state }) => state === 'uploading').length
  const waiting = items.filter(({ state, file }) => state === 'waiting' && file !== null)
  return waiting.slice(0, Math.max(free, 0)).map(({ key }) => key)
}
