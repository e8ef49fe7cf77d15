/** What the queue reads of a file. */
export interface NamedFile {
  readonly name: string
  readonly size: number
  readonly lastModified: number
}

export type UploadState = 'waiting' | 'uploading' | 'paused' | 'failed' | 'done' | 'cancelled'

/** Why an upload that is under way sends nothing now. It continues by itself. */
export type Delay = 'network' | 'sign-in' | 'server'

/** The code of a file that the browser can no longer read: it was moved, changed or deleted. */
export const FILE_UNREADABLE = 'file_unreadable'

/** One file on its way to become a video. */
export interface UploadItem<F extends NamedFile = NamedFile> {
  /** In this browser. */
  key: string
  name: string
  sizeBytes: number
  modifiedMs: number
  /** Null after a reload, or if it cannot be read, until the same file is chosen again. */
  file: F | null
  /** The id of the folder for the video, the name of one that may have to be made, or null for none. */
  folder: number | string | null
  state: UploadState
  /** The code of the reason, of one that has failed. */
  failure: string | null
  delay: Delay | null
  sentBytes: number
  /** Null until it is known. */
  bytesPerSecond: number | null
  /** Null until the server knows the upload. */
  uploadId: number | null
  /** Null until the upload is done. */
  videoId: string | null
}

/** A file that was chosen, and where its video belongs. */
export interface ChosenFile<F extends NamedFile = NamedFile> {
  file: F
  folder: number | string | null
}

/** An upload that has not begun. */
export const newItem = <F extends NamedFile>(
  key: string,
  { file, folder }: ChosenFile<F>,
): UploadItem<F> => ({
  key,
  name: file.name,
  sizeBytes: file.size,
  modifiedMs: file.lastModified,
  file,
  folder,
  state: 'waiting',
  failure: null,
  delay: null,
  sentBytes: 0,
  bytesPerSecond: null,
  uploadId: null,
  videoId: null,
})

/** True if a file is the one of an upload, as far as a browser can tell without reading it. */
export const isSameFile = (item: UploadItem, { name, size, lastModified }: NamedFile): boolean =>
  item.name === name && item.sizeBytes === size && item.modifiedMs === lastModified

/** True while the upload can still become a video. */
export const isOpen = ({ state }: Pick<UploadItem, 'state'>): boolean =>
  state !== 'done' && state !== 'cancelled'

/** True while it needs the page to stay. */
export const isUnderWay = ({ state }: Pick<UploadItem, 'state'>): boolean =>
  state === 'waiting' || state === 'uploading'
