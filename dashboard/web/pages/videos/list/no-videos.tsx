import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../../../locales/words.tsx'
import classes from './no-videos.module.css'

const CARDS = ['a', 'b', 'c']

/** What the videos will look like, drawn, with the step that adds the first one. */
export function NoVideos({ children }: { children: ReactNode }) {
  const { videos } = useWords()
  return (
    <div className={classes.empty}>
      <div className={classes.sample} aria-hidden>
        {CARDS.map((card) => (
          <div key={card} className={classes.card} data-card={card}>
            <svg viewBox="0 0 160 90" preserveAspectRatio="xMidYMid slice">
              <circle cx="116" cy="28" r="12" />
              <path d="M0 90V66l34-26 30 26 26-18 70 42z" />
            </svg>
            <span className={classes.line} />
            <span className={classes.shortLine} />
          </div>
        ))}
      </div>
      <Title order={2}>{videos.emptyTitle}</Title>
      <Text size="sm" c="dimmed" maw="30rem">
        {videos.emptyText}
      </Text>
      {children}
    </div>
  )
}
