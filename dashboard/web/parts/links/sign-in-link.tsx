import { Anchor } from '@mantine/core'
import { otherMember } from '../../api/connection.ts'
import { useWords } from '../../locales/words.tsx'
import { signInPath } from '../../sign-in-path.ts'

/** Leads to the sign-in in a new tab, so that this page keeps what was entered. */
export function SignInLink() {
  const { problems } = useWords()
  return (
    <Anchor
      href={signInPath(otherMember.get() !== null)}
      target="_blank"
      c="inherit"
      inherit
      td="underline"
    >
      {problems.signIn}
    </Anchor>
  )
}
