import { TITLE_MAX_LENGTH } from '../limits.ts'

/**
 * Returns the title of a video that is created without one (contract, "Video"): the file name in
 * the source URL, percent-decoded, without control characters, cut to 255 characters. Returns
 * `Untitled` if the path contains no file name.
 */
export function titleFromUrl(sourceUrl: string): string {
  const name = new URL(sourceUrl).pathname.split('/').filter(Boolean).at(-1) ?? ''
  const readable = decoded(name).replaceAll(/\p{C}/gu, '').trim()
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
