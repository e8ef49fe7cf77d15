import { Text } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isServerAway } from '../api/connection.ts'
import { Problem, problemOf, UNREACHABLE } from '../api/problem.ts'
import { useWords } from '../locales/words.tsx'
import { ErrorState } from '../parts/error-state.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import { problemText } from '../parts/problem-text.ts'

/** In place of a page that could not be shown, such as after an update of the server. */
export function FailedPage({ error }: ErrorComponentProps) {
  const problem = problemOf(error)
  useEffect(() => {
    // The module of the page could not be loaded.
    if (problem.code === UNREACHABLE) isServerAway.set(true)
  }, [problem.code])
  return <ErrorState error={problem} retry={() => location.reload()} />
}

const NOT_FOUND = new Problem({
  kind: 'invalid_request_error',
  code: 'route_not_found',
  message: '',
  status: 404,
  field: null,
  requestId: null,
})

/** For an address that has no page: within the frame of the account. */
export function MissingPage() {
  const words = useWords()
  return (
    <>
      <PageHeader title={words.problems.notFound} />
      <Text size="sm">{problemText(NOT_FOUND, words).advice}</Text>
    </>
  )
}

/** For an address outside of every account, which has no frame. */
export const MissingApp = () => (
  <main>
    <MissingPage />
  </main>
)
