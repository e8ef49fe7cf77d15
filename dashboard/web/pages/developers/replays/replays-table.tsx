import { Button, Progress } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { apiOf, unwrap } from '../../../api/client.ts'
import { useMay } from '../../../api/me.ts'
import { endpointsQuery, type Replay } from '../../../api/webhooks.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import { TextLink } from '../../../parts/links/links.tsx'
import { Cell, DataTable, Folded, MainCell, RowNote } from '../../../parts/lists/data-table.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { LongText } from '../../../parts/text/long-text.tsx'
import classes from '../developers.module.css'
import { useDeveloperWords } from '../words.ts'

interface Props {
  account: string
  replays: Replay[]
}

/** Replays with their progress; what a replay has sent is a link to its deliveries. */
export function ReplaysTable({ account, replays }: Props) {
  const { replays: words } = useDeveloperWords()
  const { range, which, state, deliveries } = words
  return (
    <DataTable label={words.title} columns={[range, which, state, deliveries]}>
      {replays.map((replay) => (
        <ReplayRow key={replay.id} account={account} replay={replay} />
      ))}
    </DataTable>
  )
}

interface RowProps {
  account: string
  replay: Replay
}

function ReplayRow({ account, replay }: RowProps) {
  const { replays: words } = useDeveloperWords()
  const { exact } = useFormats()
  const { data: endpoints } = useQuery(endpointsQuery(account))
  const { endpoint_id: endpointId, status, since, until } = replay
  const url = endpoints?.find(({ id }) => id === endpointId)?.url
  return (
    <tr>
      <MainCell>
        <div className={classes.range}>
          <span>{exact(Date.parse(since))}</span> – <span>{exact(Date.parse(until))}</span>
        </div>
        <RowNote>
          {endpointId === null ? (
            words.anyEndpoint
          ) : (
            <LongText isCode>{url ?? String(endpointId)}</LongText>
          )}
        </RowNote>
        <Folded>
          <span>{words.kinds[status]}</span>
          <State account={account} replay={replay} />
          <span>
            {words.deliveries}: <Sent account={account} replay={replay} />
          </span>
        </Folded>
      </MainCell>
      <Cell isFolded>{words.kinds[status]}</Cell>
      <Cell isFolded>
        <State account={account} replay={replay} />
      </Cell>
      <Cell isFolded>
        <Sent account={account} replay={replay} />
      </Cell>
    </tr>
  )
}

/** How far a replay is, with the button that cancels it while it runs. */
function State({ account, replay }: RowProps) {
  const { replays: words } = useDeveloperWords()
  const { number } = useFormats()
  const mayWrite = useMay(account, 'webhooks:write')
  const client = useQueryClient()
  const { id, state, scanned_count: done, event_count: total } = replay
  const cancel = useMutation({
    mutationFn: () => {
      const params = { path: { id } }
      return unwrap(apiOf(account).POST('/v1/webhook-replays/{id}/cancel', { params }))
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['replays', account] }),
  })
  const read = interpolate(words.read, { done: number(done), total: number(total) })
  if (state !== 'running') return <span title={read}>{words[state]}</span>
  return (
    <div className={classes.running}>
      <div>
        <span>{read}</span>
        <Progress
          size="xs"
          mt={4}
          value={total === 0 ? 0 : (100 * done) / total}
          aria-label={read}
        />
      </div>
      {mayWrite && (
        <Button
          size="compact-xs"
          variant="default"
          loading={cancel.isPending}
          onClick={() => cancel.mutate()}
        >
          {words.cancel}
        </Button>
      )}
      {cancel.error && <ErrorState error={cancel.error} />}
    </div>
  )
}

/** The deliveries of a replay by status; each number leads to them. */
function Sent({ account, replay: { id, deliveries } }: RowProps) {
  const { deliveries: words } = useDeveloperWords()
  const { number } = useFormats()
  const present = (['delivered', 'pending', 'failed'] as const).filter(
    (status) => deliveries[status] > 0,
  )
  if (present.length === 0) return number(0)
  return (
    <span className={classes.sent}>
      {present.map((status) => (
        <TextLink
          key={status}
          size="sm"
          to="/accounts/$account/developers/deliveries"
          params={{ account }}
          search={{ replay: id, status }}
        >
          {words[status]}: {number(deliveries[status])}
        </TextLink>
      ))}
    </span>
  )
}
