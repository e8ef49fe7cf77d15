import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../api/me.ts'
import { useWords } from '../../locales/words.tsx'
import { ExternalLink } from './external-link.tsx'

interface Props {
  account: string
  /** The id of the workflow (`domain/workflow-ids.ts`). */
  id: string
}

/** A link to a workflow in the Web UI of Temporal. The server sends its address to operators alone. */
export function WorkflowLink({ account, id }: Props) {
  const { parts } = useWords()
  const { data: me } = useQuery(meQuery(account))
  if (!me?.workflows_url) return null
  return (
    <ExternalLink href={`${me.workflows_url}/${encodeURIComponent(id)}`}>
      {parts.workflow}
    </ExternalLink>
  )
}
