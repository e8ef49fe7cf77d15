/** The states of an upload. One that is complete, cancelled or expired stays so. */
export const UPLOAD_STATUSES = ['waiting', 'uploading', 'complete', 'cancelled', 'expired'] as const
export type UploadStatus = (typeof UPLOAD_STATUSES)[number]

/** The states of an upload that takes bytes. */
export const OPEN_UPLOADS: UploadStatus[] = ['waiting', 'uploading']

/** The states of an upload that has ended without a video. */
export const UNUSED_UPLOADS: UploadStatus[] = ['cancelled', 'expired']

/** What says whether bytes that are stored are of the same file: of an upload, there is only one. */
export const UPLOAD_VALIDATOR = 'upload'
