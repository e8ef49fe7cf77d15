import { Alert, Text } from '@mantine/core'
import type { Me } from '../../api/me.ts'
import { IconAlertTriangle } from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import { useFormats } from '../../parts/text/formats.ts'
import { useMeWords } from './words.ts'

/** Says how often a wrong password was entered for the member's address; nothing if none was. */
export function FailedSignIns({ me }: { me: Me }) {
  const { password: words } = useMeWords()
  const { number, day, exact } = useFormats()
  if (!me.failed_sign_ins) return null
  const { count, since } = me.failed_sign_ins
  const sinceMs = Date.parse(since)
  const title = interpolate(words.failures, { number: number(count), day: day(sinceMs) })
  return (
    <Alert color="gray" title={title} icon={<IconAlertTriangle size={18} />} mb="md">
      <Text size="sm" title={exact(sinceMs)}>
        {words.failuresHint}
      </Text>
    </Alert>
  )
}
