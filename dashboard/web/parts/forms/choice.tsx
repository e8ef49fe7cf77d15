import { NativeSelect, type NativeSelectProps } from '@mantine/core'

interface Props<T> extends Omit<NativeSelectProps, 'value' | 'onChange' | 'data' | 'children'> {
  value: T | undefined
  /** The values with their texts, in order. */
  options: readonly (readonly [T, string])[]
  /** The text of the choice of none of them; absent if one has to be chosen. */
  any?: string
  /** Is given undefined for none of them. */
  onChoose: (value: T | undefined) => void
}

/** A list of which one is chosen. */
export function Choice<T extends string | number>(props: Props<T>) {
  const { value, options, any, onChoose, ...select } = props
  return (
    <NativeSelect
      {...select}
      value={value ?? ''}
      onChange={({ currentTarget }) =>
        onChoose(options.find(([one]) => String(one) === currentTarget.value)?.[0])
      }
    >
      {any !== undefined && <option value="">{any}</option>}
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </NativeSelect>
  )
}
