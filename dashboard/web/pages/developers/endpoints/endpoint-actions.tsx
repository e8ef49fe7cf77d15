import { Button, Menu, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { apiOf, unwrap } from '../../../api/client.ts'
import type { Endpoint } from '../../../api/webhooks.ts'
import { IconDots } from '../../../icons/icons.tsx'
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx'
import { ErrorState } from '../../../parts/error-state.tsx'
import { ButtonLink } from '../../../parts/links/links.tsx'
import { useDeveloperWords } from '../words.ts'

interface Props {
  account: string
  endpoint: Endpoint
}

/** What can be done with an endpoint. */
export function EndpointActions({ account, endpoint }: Props) {
  const { endpoints: words } = useDeveloperWords()
  const [isDeleting, setDeleting] = useState(false)
  const test = useTest(account, endpoint.id)
  const change = useSwitch(account, endpoint)
  const navigate = useNavigate()
  const params = { account, endpoint: String(endpoint.id) }
  const base = '/accounts/$account/developers/webhooks/$endpoint'
  const error = test.error ?? change.error
  return (
    <>
      <Button loading={test.isPending} onClick={() => test.mutate()}>
        {words.test}
      </Button>
      <ButtonLink to={`${base}/edit`} params={params} variant="default">
        {words.edit}
      </ButtonLink>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" aria-label={words.more} px="xs">
            <IconDots size={18} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => change.mutate()}>
            {endpoint.is_active ? words.disable : words.enable}
          </Menu.Item>
          <Menu.Item onClick={() => void navigate({ to: `${base}/rotate`, params })}>
            {words.rotate}
          </Menu.Item>
          <Menu.Item c="var(--mantine-color-error)" onClick={() => setDeleting(true)}>
            {words.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {error && <ErrorState error={error} />}
      {isDeleting && (
        <DeleteEndpoint account={account} endpoint={endpoint} onClose={() => setDeleting(false)} />
      )}
    </>
  )
}

/** Sends a test, and opens its delivery. */
function useTest(account: string, id: number) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => {
      const params = { path: { id } }
      return unwrap(apiOf(account).POST('/v1/webhook-endpoints/{id}/test', { params }))
    },
    onSuccess: (delivery) =>
      navigate({
        to: '/accounts/$account/developers/deliveries/$delivery',
        params: { account, delivery: String(delivery.id) },
      }),
  })
}

/** Switches the endpoint on or off. */
function useSwitch(account: string, { id, is_active: isActive }: Endpoint) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => {
      const params = { path: { id } }
      const body = { is_active: !isActive }
      return unwrap(apiOf(account).PATCH('/v1/webhook-endpoints/{id}', { params, body }))
    },
    async onSuccess() {
      await client.invalidateQueries({ queryKey: ['endpoints', account] })
      await client.invalidateQueries({ queryKey: ['deliveries', account] })
    },
  })
}

function DeleteEndpoint({ account, endpoint, onClose }: Props & { onClose: () => void }) {
  const { endpointForm: words } = useDeveloperWords()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { id, url } = endpoint
  const remove = useMutation({
    mutationFn: () => {
      const params = { path: { id } }
      return unwrap(apiOf(account).DELETE('/v1/webhook-endpoints/{id}', { params }))
    },
    async onSuccess() {
      await navigate({ to: '/accounts/$account/developers/webhooks', params: { account } })
      client.removeQueries({ queryKey: ['endpoints', account, id] })
      await client.invalidateQueries({ queryKey: ['endpoints', account] })
      await client.invalidateQueries({ queryKey: ['deliveries', account] })
    },
  })
  return (
    <ConfirmDialog
      title={words.removeTitle}
      expected={new URL(url).host}
      submit={words.removeSubmit}
      action={remove}
      onClose={onClose}
    >
      <Text size="sm">{words.removeText}</Text>
    </ConfirmDialog>
  )
}
