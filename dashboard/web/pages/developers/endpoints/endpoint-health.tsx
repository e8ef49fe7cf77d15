import type { Endpoint } from '../../../api/webhooks.ts'
import { Dot } from '../../../parts/text/dot.tsx'
import { useDeveloperWords } from '../words.ts'

type Health = 'active' | 'failing' | 'off'

const TONES = { active: 'good', failing: 'bad', off: 'none' } as const

/** Off, failing since the last success, or active. */
export function healthOf({ is_active: isActive, failure_count: failures }: Endpoint): Health {
  if (!isActive) return 'off'
  return failures > 0 ? 'failing' : 'active'
}

/** The health of an endpoint as a word, with a dot in its colour. */
export function EndpointHealth({ endpoint }: { endpoint: Endpoint }) {
  const { endpoints } = useDeveloperWords()
  const health = healthOf(endpoint)
  return <Dot tone={TONES[health]}>{endpoints[health]}</Dot>
}
