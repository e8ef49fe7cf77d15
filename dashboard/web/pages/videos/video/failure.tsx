import { Alert, Code, Group, Text } from '@mantine/core'
import { Suspense } from 'react'
import { useIsOperator, useMayEdit } from '../../../api/me.ts'
import type { Video } from '../../../api/videos.ts'
import { IconAlertTriangle } from '../../../icons/icons.tsx'
import { useWords } from '../../../locales/words.tsx'
import { ButtonLink } from '../../../parts/links/links.tsx'
import { CopyButton } from '../../../parts/text/copy-button.tsx'
import { RetryVideo } from '../../operator/retry-video.tsx'
import { useVideosWords } from '../words.ts'
import { failureText } from './failure-words.ts'
import classes from './video-page.module.css'

interface Props {
  account: string
  video: Video
}

/** Why a video failed and what to do. Operators can make it again from its link; others add it again. */
export function Failure({ account, video: { id, title, error } }: Props) {
  const words = useWords()
  const { failure } = useVideosWords()
  const mayEdit = useMayEdit(account)
  const isOperator = useIsOperator(account)
  if (!error) return null
  const report = `video ${id}\n${error.code}\n${error.message}`
  return (
    <Alert
      color="red"
      variant="light"
      title={words.video.failed}
      icon={<IconAlertTriangle size={18} />}
    >
      <div className={classes.failure}>
        <Text size="sm">{failureText(error.code, words)}</Text>
        <Text size="xs">
          <Code>{error.code}</Code> <bdi lang="en">{error.message}</bdi>
        </Text>
        <Group gap="xs">
          {mayEdit && (
            <ButtonLink
              to="/accounts/$account/videos/add"
              params={{ account }}
              variant="default"
              size="compact-sm"
            >
              {failure.again}
            </ButtonLink>
          )}
          {isOperator && (
            <Suspense>
              <RetryVideo account={account} id={id} title={title} />
            </Suspense>
          )}
          <CopyButton isWide text={report} label={words.problems.report} />
        </Group>
      </div>
    </Alert>
  )
}
