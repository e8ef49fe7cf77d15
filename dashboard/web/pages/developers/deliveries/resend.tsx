import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { apiOf, unwrap } from '../../../api/client.ts'
import { deliveriesMatch, deliveryQuery, type Delivery } from '../../../api/deliveries.ts'
import { IconRefresh } from '../../../icons/icons.tsx'
import { ErrorState } from '../../../parts/error-state.tsx'
import { useDeveloperWords } from '../words.ts'

interface Props {
  account: string
  delivery: Delivery
}

/** How long the extra attempt of a waiting delivery is looked for. */
const LOOKS = 10
const LOOK_MS = 1_500

/** Sends a delivery now. One that has ended is sent as a new delivery, whose page then opens. */
export function Resend({ account, delivery: { id, status, attempt_count: count } }: Props) {
  const { delivery: words } = useDeveloperWords()
  const navigate = useNavigate()
  const client = useQueryClient()
  const resend = useMutation({
    async mutationFn() {
      const params = { path: { id } }
      const call = apiOf(account).POST('/v1/webhook-deliveries/{id}/retry', { params })
      const sent = await unwrap(call)
      if (sent.id === id && status === 'pending') await untilAttempt()
      return sent
    },
    async onSuccess(sent) {
      await client.invalidateQueries({ queryKey: ['deliveries', account] })
      await navigate({
        to: '/accounts/$account/developers/deliveries/$delivery',
        params: { account, delivery: String(sent.id) },
        search: deliveriesMatch,
      })
    },
  })
  /** The attempt by hand comes before the time that the delivery names. */
  async function untilAttempt(): Promise<void> {
    const query = deliveryQuery(account, id)
    for (let look = 0; look < LOOKS; look += 1) {
      const latest = await client.fetchQuery({
        queryKey: query.queryKey,
        queryFn: query.queryFn,
        staleTime: 0,
      })
      if (latest.attempt_count > count || latest.status !== 'pending') return
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  }
  return (
    <>
      <Button
        variant={status === 'failed' ? 'filled' : 'default'}
        leftSection={<IconRefresh size={16} />}
        loading={resend.isPending}
        onClick={() => resend.mutate()}
      >
        {status === 'pending' ? words.sendNow : words.resend}
      </Button>
      {resend.error && <ErrorState error={resend.error} />}
    </>
  )
}
