import { Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { rowIdOf } from '../../api/cursors.ts'
import { endpointsQuery } from '../../api/webhooks.ts'
import type { ReplayStatus } from '../../api/webhooks.ts'
import { useTimeZone } from '../../shell/time-zone.tsx'
import { fill } from '../../words/fill.ts'
import { PERIODS } from './replay-period.ts'
import type { ChosenRange } from './replay-period.ts'
import { REPLAY_KINDS } from './replay-search.ts'
import { useDeveloperWords } from './words.ts'

/** What a replay is asked to send. */
export interface ReplayChoice extends ChosenRange {
  endpoint: number | undefined
  kind: ReplayStatus
}

interface Props {
  account: string
  choice: ReplayChoice
  /** True if the start of the chosen range is not before its end and before now. */
  isWrongOrder: boolean
  onChange: (changes: Partial<ReplayChoice>) => void
}

/** Which events, to which endpoint, of which period. */
export function ReplayFields({ account, choice, isWrongOrder, onChange }: Props) {
  const { replays: words } = useDeveloperWords()
  const { data: endpoints = [] } = useQuery(endpointsQuery(account))
  const active = endpoints.filter(
    ({ id, is_active: isActive }) => isActive || id === choice.endpoint,
  )
  return (
    <>
      <NativeSelect
        label={words.which}
        description={words.kindHints[choice.kind]}
        value={choice.kind}
        onChange={({ currentTarget }) =>
          onChange({ kind: REPLAY_KINDS.find((kind) => kind === currentTarget.value) ?? 'failed' })
        }
        data={REPLAY_KINDS.map((value) => ({ value, label: words.kinds[value] }))}
        data-autofocus
      />
      <NativeSelect
        label={words.endpoint}
        value={choice.endpoint ?? ''}
        onChange={({ currentTarget }) => onChange({ endpoint: rowIdOf(currentTarget.value) })}
      >
        <option value="">{words.anyEndpoint}</option>
        {active.map(({ id, url }) => (
          <option key={id} value={id}>
            {url}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        label={words.period}
        value={choice.period}
        onChange={({ currentTarget }) =>
          onChange({ period: PERIODS.find((period) => period === currentTarget.value) ?? 'day' })
        }
        data={PERIODS.map((value) => ({ value, label: words.periods[value] }))}
      />
      {choice.period === 'custom' && <CustomRange {...{ choice, isWrongOrder, onChange }} />}
    </>
  )
}

function CustomRange({ choice, isWrongOrder, onChange }: Omit<Props, 'account'>) {
  const { replays: words } = useDeveloperWords()
  const { zone } = useTimeZone()
  return (
    <div>
      <Group grow align="start">
        <TextInput
          type="datetime-local"
          label={words.since}
          value={choice.since}
          error={isWrongOrder && words.wrongOrder}
          onChange={({ currentTarget }) => onChange({ since: currentTarget.value })}
          required
        />
        <TextInput
          type="datetime-local"
          label={words.until}
          value={choice.until}
          onChange={({ currentTarget }) => onChange({ until: currentTarget.value })}
        />
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        {fill(words.zone, { zone })}
      </Text>
    </div>
  )
}
