import { videosMatch } from '../../../api/video-search/filter.ts'
import type { Video } from '../../../api/videos.ts'
import { SubLink, SubNavigation } from '../../../parts/links/sub-navigation.tsx'
import filterTabs from '../../../parts/lists/filter-tabs.module.css'
import { useFormats } from '../../../parts/text/formats.ts'
import { useVideosWords } from '../words.ts'

/** The sections of a video, in the order of use. */
export const VIDEO_TABS = [
  { to: '/accounts/$account/videos/$video', word: 'overview', count: null },
  { to: '/accounts/$account/videos/$video/audience', word: 'audience', count: null },
  { to: '/accounts/$account/videos/$video/captions', word: 'captions', count: 'caption_count' },
  { to: '/accounts/$account/videos/$video/chapters', word: 'chapters', count: 'chapter_count' },
  { to: '/accounts/$account/videos/$video/moments', word: 'moments', count: 'moment_count' },
  { to: '/accounts/$account/videos/$video/poster', word: 'poster', count: null },
  { to: '/accounts/$account/videos/$video/embed', word: 'embed', count: null },
  { to: '/accounts/$account/videos/$video/renditions', word: 'renditions', count: null },
] as const

const EXACT = { exact: true, includeSearch: false }

/** The sections of a video as links, so that each has an address. */
export function VideoTabs({ account, video }: { account: string; video: Video }) {
  const { tabs } = useVideosWords()
  const { number } = useFormats()
  return (
    <SubNavigation label={tabs.label}>
      {VIDEO_TABS.map(({ to, word, count }) => (
        <SubLink
          key={word}
          to={to}
          params={{ account, video: video.id }}
          search={videosMatch}
          activeOptions={EXACT}
          // The address changes, but the page stays where it is scrolled to.
          resetScroll={false}
        >
          {tabs[word]}
          {count !== null && video[count] > 0 && ' '}
          {count !== null && video[count] > 0 && (
            <span className={filterTabs.count}>{number(video[count])}</span>
          )}
        </SubLink>
      ))}
    </SubNavigation>
  )
}
