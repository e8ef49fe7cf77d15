import type { ReactNode } from 'react'
import { TextLink } from './links.tsx'

interface Props {
  account: string
  /** Below the address of the account, such as `videos/add`. */
  path: string
  children: ReactNode
}

/** A link to a page of the account that is chosen by data. */
export function PathLink({ account, path, children }: Props) {
  const to: string = `/accounts/$account/${path}`
  return (
    <TextLink to={to} params={{ account }} size="sm">
      {children}
    </TextLink>
  )
}
