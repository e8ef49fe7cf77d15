import { FOLDER_NAME_MAX_LENGTH } from '../../../../domain/limits.ts'

/** Returns one name for nested folders, such as `Course / Week 1`, because folders have no levels. Null if nothing is left of it. */
export function folderName(path: readonly string[]): string | null {
  const name = path
    .map((part) => part.replaceAll(/\p{C}/gu, '').trim())
    .filter((part) => part !== '')
    .join(' / ')
    .normalize('NFC')
  const short = Array.from(name).slice(0, FOLDER_NAME_MAX_LENGTH).join('')
  return short === '' ? null : short.slice(0, FOLDER_NAME_MAX_LENGTH).trim()
}
