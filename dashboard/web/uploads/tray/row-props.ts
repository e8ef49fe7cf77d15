import type { UploadItem } from '../queue/upload-item.ts'
import type { UploadQueue } from '../queue/upload-queue.ts'
import type { Encoding } from './use-encoding.ts'

/** What the row of an upload and its buttons need. */
export interface RowProps {
  account: string
  item: UploadItem<File>
  queue: UploadQueue<File>
  /** Of one that is done, once it is known. */
  encoding: Encoding | undefined
  /** Before the row goes. */
  onGone: () => void
}
