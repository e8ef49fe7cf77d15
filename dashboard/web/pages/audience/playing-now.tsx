import { useQuery } from '@tanstack/react-query'
import { playingQuery } from '../../api/security.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { TextLink } from '../../parts/links/links.tsx'
import { Dot } from '../../parts/text/dot.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { useAudienceWords } from './words.ts'

/** Rarer than a list of them. */
const REFRESH_MS = 60_000

/** How many sessions play now, of the account or of a video: a link to them. */
export function PlayingNow({ account, video }: { account: string; video?: string }) {
  const words = useAudienceWords()
  const { counted, number } = useFormats()
  const { data } = useQuery({ ...playingQuery(account, { video }), refetchInterval: REFRESH_MS })
  const count = data?.data.length ?? 0
  return (
    <TextLink
      to="/accounts/$account/security/playing"
      params={{ account }}
      search={video === undefined ? {} : { video }}
      size="sm"
      // Until it is known, it keeps its place.
      style={{ visibility: data ? undefined : 'hidden' }}
    >
      <Dot tone={count > 0 ? 'good' : 'none'} isMoving={count > 0}>
        {data?.has_more
          ? interpolate(words.playingMore, { number: number(count) })
          : counted(words.playing, count)}
      </Dot>
    </TextLink>
  )
}
