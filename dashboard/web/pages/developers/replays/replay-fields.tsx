import { Group, NativeSelect, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { endpointsQuery, type ReplayStatus } from '../../../api/webhooks.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { Choice } from '../../../parts/forms/choice.tsx'
import type { FieldProps } from '../../../parts/forms/form-fields.ts'
import { useTimeZone } from '../../../shell/time-zone.tsx'
import { useDeveloperWords } from '../words.ts'
import { PERIODS, type ChosenRange } from './replay-period.ts'
import { REPLAY_KINDS } from './replay-search.ts'

/** What a replay is asked to send. */
export interface ReplayChoice extends ChosenRange {
  endpoint: number | undefined
  kind: ReplayStatus
}

interface Props {
  account: string
  form: UseFormReturnType<ReplayChoice>
  field: FieldProps<ReplayChoice>
}

/** Which events, to which endpoint, of which period. */
export function ReplayFields({ account, form, field }: Props) {
  const { replays: words } = useDeveloperWords()
  const { data: endpoints = [] } = useQuery(endpointsQuery(account))
  const { kind, endpoint, period } = form.values
  const active = endpoints.filter(({ id, is_active: isActive }) => isActive || id === endpoint)
  return (
    <>
      <NativeSelect
        {...field('kind')}
        label={words.which}
        description={words.kindHints[kind]}
        data={REPLAY_KINDS.map((value) => ({ value, label: words.kinds[value] }))}
        data-autofocus
      />
      <Choice
        label={words.endpoint}
        value={endpoint}
        any={words.anyEndpoint}
        options={active.map(({ id, url }) => [id, url])}
        onChoose={(chosen) => form.setFieldValue('endpoint', chosen)}
      />
      <NativeSelect
        {...field('period')}
        label={words.period}
        data={PERIODS.map((value) => ({ value, label: words.periods[value] }))}
      />
      {period === 'custom' && <CustomRange field={field} />}
    </>
  )
}

function CustomRange({ field }: Pick<Props, 'field'>) {
  const { replays: words } = useDeveloperWords()
  const { zone } = useTimeZone()
  return (
    <div>
      <Group grow align="start">
        <TextInput {...field('since')} type="datetime-local" label={words.since} required />
        <TextInput {...field('until')} type="datetime-local" label={words.until} />
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        {interpolate(words.zone, { zone })}
      </Text>
    </div>
  )
}
