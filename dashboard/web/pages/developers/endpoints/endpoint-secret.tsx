import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { endpointSecretQuery, type CreatedEndpoint } from '../../../api/webhooks.ts'
import { SecretOnce } from '../../../parts/dialogs/secret-once.tsx'
import { useDeveloperWords } from '../words.ts'

interface Props {
  account: string
  endpoint: CreatedEndpoint
  onSaved: () => void
}

/** Shows the new signing secret of an endpoint, this once, as long as no other one has replaced it. */
export function EndpointSecret({ account, endpoint: { id, secret }, onSaved }: Props) {
  const { endpointForm, rotation } = useDeveloperWords()
  const { data: check } = useQuery(endpointSecretQuery(account, id, secret))
  const replaced = (
    <Alert color="red" title={rotation.replacedTitle}>
      <Text size="sm">{rotation.replacedText}</Text>
    </Alert>
  )
  return (
    <SecretOnce
      title={endpointForm.shownTitle}
      text={endpointForm.shownText}
      secret={secret}
      {...(check?.is_current === false && { replaced })}
      onSaved={onSaved}
    />
  )
}
