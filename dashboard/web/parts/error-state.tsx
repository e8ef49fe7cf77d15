import { Alert, Button, Code, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { OTHER_MEMBER, problemOf } from '../api/problem.ts'
import { IconAlertTriangle } from '../icons/icons.tsx'
import { useWords } from '../locales/words.tsx'
import { SignInLink } from './links/sign-in-link.tsx'
import classes from './parts.module.css'
import { problemReport, problemText } from './problem-text.ts'
import { CopyButton } from './text/copy-button.tsx'

interface Props {
  error: unknown
  /** Absent if another attempt would not help. */
  retry?: () => void
  /** More about the cause. */
  children?: ReactNode
}

/** Problems that a sign-in solves. */
const SIGN_IN_CODES: readonly string[] = ['not_signed_in', OTHER_MEMBER]

/** Shows a problem: its cause, what to do, then its code and request id. */
export function ErrorState({ error, retry, children }: Props) {
  const words = useWords()
  const problem = problemOf(error)
  if (problem.code === 'reauthentication_required') return <NotConfirmed />
  const { cause, advice } = problemText(problem, words)
  return (
    <Alert
      variant="default"
      title={cause}
      icon={<IconAlertTriangle size={18} className={classes.errorSign} />}
    >
      <Text size="sm">{SIGN_IN_CODES.includes(problem.code) ? <SignInLink /> : advice}</Text>
      {children}
      <Group gap="xs" mt="sm">
        {retry && (
          <Button size="compact-sm" variant="default" onClick={retry}>
            {words.parts.retry}
          </Button>
        )}
        <CopyButton isWide text={problemReport(problem)} label={words.problems.report} />
      </Group>
      <div className={classes.details}>
        <span>
          {words.problems.code} <Code>{problem.code}</Code>
        </span>
        {problem.requestId !== null && (
          <span>
            {words.problems.request} <Code>{problem.requestId}</Code>
          </span>
        )}
      </div>
    </Alert>
  )
}

/** The member has cancelled the confirmation: nothing has failed. */
function NotConfirmed() {
  const { problems } = useWords()
  return (
    <Text size="sm" c="dimmed" component="output">
      {problems.notConfirmed}
    </Text>
  )
}
