import type { TextStorage } from './chunk-size.ts'
import type { UploadItem } from './upload-item.ts'

/** What a browser keeps of an upload, so that the same file can continue it. Its address is a secret: the server gives it again. */
type RememberedUpload = Pick<
  UploadItem,
  'key' | 'name' | 'sizeBytes' | 'modifiedMs' | 'folder' | 'uploadId'
>

export interface RememberedUploads {
  keys: () => string[]
  /** Null if it is not kept any more. */
  read: (key: string) => RememberedUpload | null
  /** Keeps what continues an upload; forgets one that needs nothing more. */
  keep: (item: UploadItem) => void
  forget: (key: string) => void
}

/** The uploads that a member has begun in this browser. `storage` is null if the browser keeps nothing. */
export function rememberedUploads(
  storage: TextStorage | null,
  { account, memberId }: { account: string; memberId: number },
): RememberedUploads {
  const prefix = prefixOf(account, memberId)
  const written = new Map<string, string>()
  const forget = (key: string): void => {
    written.delete(key)
    attempt(() => storage?.removeItem(prefix + key))
  }
  return {
    keys: () => keysOf(storage, prefix),
    read: (key) => attempt(() => parse(key, storage?.getItem(prefix + key) ?? '')) ?? null,
    keep(item) {
      if (!isWorthKeeping(item)) return forget(item.key)
      const { name, sizeBytes, modifiedMs, folder, uploadId } = item
      const text = JSON.stringify({ name, sizeBytes, modifiedMs, folder, uploadId })
      if (written.get(item.key) === text) return
      written.set(item.key, text)
      attempt(() => storage?.setItem(prefix + item.key, text))
    },
    forget,
  }
}

/** True if the member has left an upload unfinished in this browser. */
export const hasRemembered = (
  storage: TextStorage | null,
  account: string,
  memberId: number,
): boolean => keysOf(storage, prefixOf(account, memberId)).length > 0

const prefixOf = (account: string, memberId: number): string =>
  `reelgate-upload-${account}-${memberId}-`

/** What was refused before it began is not continued. One that is cancelled stays until the server knows. */
const isWorthKeeping = ({ state, uploadId }: UploadItem): boolean =>
  state !== 'done' && (state !== 'failed' || uploadId !== null)

const keysOf = (storage: TextStorage | null, prefix: string): string[] =>
  attempt(() =>
    Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? '')
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length))
      .toSorted(),
  ) ?? []

function parse(key: string, text: string): RememberedUpload | null {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) return null
  const { name, sizeBytes, modifiedMs, folder, uploadId } = value as Record<string, unknown>
  if (typeof name !== 'string' || typeof sizeBytes !== 'number' || typeof modifiedMs !== 'number')
    return null
  const isFolder = typeof folder === 'number' || typeof folder === 'string'
  return {
    key,
    name,
    sizeBytes,
    modifiedMs,
    folder: isFolder ? folder : null,
    uploadId: typeof uploadId === 'number' ? uploadId : null,
  }
}

/** Storage throws when it is full or not allowed, and a text of another version is no upload. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
