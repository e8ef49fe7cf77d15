import classes from './select-box.module.css'

interface Props {
  /** What it selects, for screen readers. */
  label: string
  isChecked: boolean
  /** True if only some of what it stands for is selected. */
  isPartly?: boolean
  /** `isRange` with the Shift key, which means all from the one that was changed last. */
  onChange: (isChecked: boolean, isRange: boolean) => void
}

/** A box that selects the row of a table. It is the browser's own, because a list has dozens and the kit's takes 1 ms each. */
export const SelectBox = ({ label, isChecked, isPartly = false, onChange }: Props) => (
  <input
    type="checkbox"
    className={classes.box}
    aria-label={label}
    checked={isChecked}
    ref={(box) => {
      if (box) box.indeterminate = isPartly
    }}
    onChange={({ currentTarget, nativeEvent }) =>
      onChange(currentTarget.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
    }
  />
)
