import { readSystemError } from '../processes/system-error.ts'

const DISK_WORDS: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'the file is larger than this user may write',
  EROFS: 'the file system is read-only',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  ENOTDIR: 'it is not a folder',
  EIO: 'the disk reports an error',
}

/** Describes an error of a file or its disk for the operator; null for any other error. */
export function describeDiskError(error: unknown): string | null {
  const { code, syscall, message } = readSystemError(error)
  const words = DISK_WORDS[code]
  return words === undefined || syscall === '' ? null : `${words}: ${message}`
}
