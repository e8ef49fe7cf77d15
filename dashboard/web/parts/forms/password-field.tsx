import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useWords } from '../../locales/words.tsx'

/** A field for a password, with a button that shows it. */
export function PasswordField(props: PasswordInputProps) {
  const { parts } = useWords()
  return (
    <PasswordInput
      dir="ltr"
      required
      withAsterisk={false}
      // In the order of the keyboard too, which Mantine leaves it out of.
      visibilityToggleButtonProps={{ 'aria-label': parts.showPassword, tabIndex: 0 }}
      {...props}
    />
  )
}
