import { TITLE_MAX_LENGTH } from '../limits.ts'

/**
 * Returns the title of a video that is created without one (contract, "Video"): the file name in
 * the source URL, percent-decoded, without control characters, cut to 255 characters. Returns
 * `Untitled` if the path contains no file name.
 */
export function titleFromUrl(sourceUrl: string): string {
  const name = new URL(sourceUrl).pathname.split('/').filter(Boolean).at(-1) ?? ''
  return titleOf(decoded(name))
}

/** Returns the title of a video that is uploaded as a file of this name: the name without its folders and its extension. */
export function titleFromFilename(filename: string): string {
  const name = filename.split(/[/\\]/).filter(Boolean).at(-1) ?? ''
  return titleOf(name.replace(/(?<=.)\.[A-Za-z0-9]{1,5}$/, ''))
}

function titleOf(name: string): string {
  const readable = name.replaceAll(/\p{C}/gu, '').trim()
  const title = Array.from(readable).slice(0, TITLE_MAX_LENGTH).join('').slice(0, TITLE_MAX_LENGTH)
  return title === '' ? 'Untitled' : title
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
