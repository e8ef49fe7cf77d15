import { Alert, List } from '@mantine/core'
import type { Video } from '../../../api/videos.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { useVideosWords } from '../words.ts'

/** How a video differs from its source; nothing if it does not. */
export function VideoWarnings({ video: { warnings } }: { video: Video }) {
  const { warnings: words } = useVideosWords()
  if (warnings.length === 0) return null
  return (
    <Alert color="yellow" variant="light" title={words.title}>
      <List size="sm">
        {warnings.map(({ code, count }) => (
          <List.Item key={code}>
            {interpolate(words.texts[code], { number: String(count) })}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
