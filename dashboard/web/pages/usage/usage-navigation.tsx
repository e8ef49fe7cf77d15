import { SubLink, SubNavigation } from '../../parts/links/sub-navigation.tsx'
import { useUsageWords } from './words.ts'

/** The links to usage and plan, above both. */
export function UsageNavigation({ account }: { account: string }) {
  const { title, pages } = useUsageWords()
  return (
    <SubNavigation label={title}>
      <SubLink to="/accounts/$account/usage" params={{ account }}>
        {pages.usage}
      </SubLink>
      <SubLink to="/accounts/$account/plan" params={{ account }}>
        {pages.plan}
      </SubLink>
    </SubNavigation>
  )
}
