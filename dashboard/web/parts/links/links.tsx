import { Anchor, Button, type AnchorProps, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ReactNode, Ref } from 'react'

interface LinkParts {
  ref?: Ref<HTMLAnchorElement>
  children?: ReactNode
}

/** A link that looks like a button. */
export const ButtonLink = createLink(({ ref, ...props }: ButtonProps & LinkParts) => (
  <Button component="a" ref={ref} {...props} />
))

/** A link in a text. */
export const TextLink = createLink(({ ref, ...props }: AnchorProps & LinkParts) => (
  <Anchor ref={ref} {...props} />
))
