import { FOLDER_NAME_MAX_LENGTH } from '../../../../domain/limits.ts'

/** The name of the folder for what lies at a path of folders: `Course / Week 1`. Folders have no levels. */
export function folderName(path: readonly string[]): string | null {
  const name = path
    .map((part) => part.replaceAll(/\p{C}/gu, '').trim())
    .filter((part) => part !== '')
    .join(' / ')
    .normalize('NFC')
  const short = Array.from(name).slice(0, FOLDER_NAME_MAX_LENGTH).join('')
  return short === '' ? null : short.slice(0, FOLDER_NAME_MAX_LENGTH).trim()
}
