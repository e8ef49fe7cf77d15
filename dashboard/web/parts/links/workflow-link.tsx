import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../api/me.ts'
import { useWords } from '../../locales/words.tsx'
import { ExternalLink } from './external-link.tsx'

interface Props {
  account: string
  /** The id of the workflow (`domain/workflow-ids.ts`). */
  id: string
  isDelivery?: boolean
}

/** A link to a workflow in the Web UI of Temporal. The server sends its address to operators alone. */
export function WorkflowLink({ account, id, isDelivery = false }: Props) {
  const { parts } = useWords()
  const { data: me } = useQuery(meQuery(account))
  const workflows = isDelivery ? me?.delivery_workflows_url : me?.workflows_url
  if (!workflows) return null
  return (
    <ExternalLink href={`${workflows}/${encodeURIComponent(id)}`}>{parts.workflow}</ExternalLink>
  )
}
