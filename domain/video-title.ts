import { TITLE_MAX_LENGTH } from './limits.ts'

/**
 * The title of a video whose creator gave none (spec, "Video"): the file name in the source URL,
 * percent-decoded, without control characters, at most 255 characters. `Untitled` where the path names no file.
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
