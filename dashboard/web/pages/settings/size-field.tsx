import { Input, SegmentedControl } from '@mantine/core'
import type { PlayerSettings } from '../../../../domain/player-settings.ts'
import { useSettingsWords } from './words.ts'

type Size = PlayerSettings['subtitles']['size']

const SIZES: readonly Size[] = ['small', 'medium', 'large']

interface Props {
  label: string
  value: Size
  onChange: (size: Size) => void
}

/** The choice of a size. */
export function SizeField({ label, value, onChange }: Props) {
  const { values } = useSettingsWords()
  return (
    <Input.Wrapper label={label} labelElement="div">
      <SegmentedControl
        fullWidth
        mt={4}
        aria-label={label}
        value={value}
        onChange={onChange}
        data={SIZES.map((size) => ({ value: size, label: values[size] }))}
      />
    </Input.Wrapper>
  )
}
