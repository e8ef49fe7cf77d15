import { Alert, Text } from '@mantine/core'
import type { RecordStore } from '../../../api/record-store.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { CodeSnippet } from '../../../parts/text/code-snippet.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { useDeveloperWords } from '../words.ts'

/** That the record store is off, or what failed last and when it is tried again. */
export function StoreNotice({ store }: { store: RecordStore }) {
  const { recordStore: words } = useDeveloperWords()
  const { exact } = useFormats()
  const { last_error: error, next_attempt_at: next, is_active: isActive } = store
  if (isActive && !error) return null
  return (
    <Alert color={isActive ? 'red' : 'gray'} mb="lg">
      {!isActive && <Text size="sm">{words.isOff}</Text>}
      {error && (
        <>
          <Text size="sm">
            {interpolate(words.failed, { time: exact(Date.parse(error.at)) })}{' '}
            <bdi lang="en">{error.message}</bdi>
          </Text>
          {next !== null && isActive && (
            <Text size="sm">{interpolate(words.next, { time: exact(Date.parse(next)) })}</Text>
          )}
          {Boolean(error.response_body) && (
            <CodeSnippet code={error.response_body ?? ''} label={words.response} />
          )}
        </>
      )}
    </Alert>
  )
}
