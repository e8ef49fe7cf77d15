import { csvOf } from '../../../domain/csv.ts'

/** A former address and the one that took its place. */
export interface Redirect {
  oldUrl: string
  videoId: string
}

/** The lines of a redirect map. `embedUrl` returns the new address of a video. */
export function* redirectLines(
  redirects: Iterable<Redirect>,
  embedUrl: (videoId: string) => string,
): Generator<string> {
  yield csvOf([['old_url', 'new_url']])
  for (const { oldUrl, videoId } of redirects) yield csvOf([[oldUrl, embedUrl(videoId)]])
}
