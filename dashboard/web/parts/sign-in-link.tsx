import { Anchor } from '@mantine/core'
import { signInPath } from '../sign-in-path.ts'
import { useWords } from '../words/words.tsx'

/** Leads to the sign-in in a new tab, so that this page keeps what was entered. */
export function SignInLink() {
  const { problems } = useWords()
  return (
    <Anchor href={signInPath()} target="_blank" inherit underline="always">
      {problems.signIn}
    </Anchor>
  )
}
