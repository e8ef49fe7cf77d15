import { Anchor, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconExternalLink } from '../../icons/icons.tsx'

/** A link to another site, which opens in a new tab. */
export const ExternalLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Anchor size="sm" href={href} target="_blank" rel="noopener noreferrer">
    <Group gap={6}>
      {children}
      <IconExternalLink size={16} />
    </Group>
  </Anchor>
)
