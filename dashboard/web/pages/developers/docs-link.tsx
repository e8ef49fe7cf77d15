import { useQuery } from '@tanstack/react-query'
import { addressesQuery } from '../../api/keys.ts'
import { ExternalLink } from '../../parts/links/external-link.tsx'
import { useDeveloperWords } from './words.ts'

/** A link to the documentation of the API, at the address of this installation. */
export function DocsLink({ account }: { account: string }) {
  const { start } = useDeveloperWords()
  const { data: addresses } = useQuery(addressesQuery(account))
  if (!addresses) return null
  return <ExternalLink href={`${addresses.api_url}/docs`}>{start.docs}</ExternalLink>
}
