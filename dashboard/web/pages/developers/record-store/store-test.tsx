import { Stack, Text } from '@mantine/core'
import type { RecordStoreTest } from '../../../api/record-store.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { Dialog } from '../../../parts/dialogs/dialog.tsx'
import { CodeSnippet } from '../../../parts/text/code-snippet.tsx'
import { useDeveloperWords } from '../words.ts'

interface Props {
  result: RecordStoreTest
  onClose: () => void
}

/** The dialog that shows what the record store has responded to a test. */
export function StoreTest({ result, onClose }: Props) {
  const { recordStore: words } = useDeveloperWords()
  const { error_code: code, error_message: message, response_status: status } = result
  const { response_body: body, duration_ms: milliseconds } = result
  return (
    <Dialog
      opened
      title={code === null ? words.testTaken : words.testFailed}
      size="lg"
      onClose={onClose}
    >
      <Stack>
        <Text size="sm">
          {interpolate(words.testTook, { milliseconds, status: status ?? '–' })}
        </Text>
        {message !== null && (
          <Text size="sm" lang="en" dir="auto">
            {message}
          </Text>
        )}
        {Boolean(body) && <CodeSnippet code={body ?? ''} label={words.response} />}
      </Stack>
    </Dialog>
  )
}
