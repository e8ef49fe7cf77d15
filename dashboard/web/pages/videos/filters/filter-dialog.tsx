import { NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { PROTECTIONS } from '../../../../../domain/accounts/plan.ts'
import {
  EXTERNAL_ID_MAX_LENGTH,
  METADATA_KEY_MAX_LENGTH,
  METADATA_VALUE_MAX_LENGTH,
  TAG_MAX_LENGTH,
} from '../../../../../domain/limits.ts'
import type { MoreFilters } from '../../../api/video-search/filter.ts'
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx'
import type { FieldProps } from '../../../parts/forms/form-fields.ts'
import { useVideosWords } from '../words.ts'
import classes from './filters.module.css'
import { faultsOf, toFilters, toTyped, type TypedFilters } from './typed-filters.ts'

interface Props {
  filters: MoreFilters
  onClose: () => void
  onChoose: (filters: MoreFilters) => void
}

/** The dialog of the filters that have no place beside the list. Nothing changes before they are applied. */
export function FilterDialog({ filters, onClose, onChoose }: Props) {
  const words = useVideosWords()
  const form = useForm<TypedFilters>({
    initialValues: toTyped(filters),
    validate: (typed) => faultsOf(typed, words),
  })
  return (
    <FormDialog
      title={words.filters.title}
      form={form}
      save={{ mutate: (typed) => onChoose(toFilters(typed)), isPending: false, error: null }}
      submit={words.filters.apply}
      closeOnClickOutside
      onClose={onClose}
    >
      {(field) => <Fields field={field} />}
    </FormDialog>
  )
}

function Fields({ field }: { field: FieldProps<TypedFilters> }) {
  const { filters } = useVideosWords()
  const text = { autoComplete: 'off', dir: 'auto' } as const
  const minutes = {
    type: 'number',
    min: 0,
    max: 100_000,
    step: 'any',
    inputMode: 'decimal',
  } as const
  return (
    <>
      <TextInput
        {...field('tag')}
        {...text}
        label={filters.tag}
        maxLength={TAG_MAX_LENGTH}
        data-autofocus
      />
      <TextInput
        {...field('external_id')}
        {...text}
        label={filters.externalId}
        maxLength={EXTERNAL_ID_MAX_LENGTH}
      />
      <div className={classes.pair}>
        <TextInput
          {...field('key')}
          {...text}
          label={filters.key}
          maxLength={METADATA_KEY_MAX_LENGTH}
        />
        <TextInput
          {...field('value')}
          {...text}
          label={filters.value}
          maxLength={METADATA_VALUE_MAX_LENGTH}
        />
      </div>
      <NativeSelect {...field('protection')} label={filters.protection}>
        <option value="">{filters.anyProtection}</option>
        {PROTECTIONS.map((one) => (
          <option key={one} value={one}>
            {filters.protections[one]}
          </option>
        ))}
      </NativeSelect>
      <div className={classes.pair}>
        <TextInput {...field('created_from')} type="date" label={filters.createdFrom} />
        <TextInput {...field('created_to')} type="date" label={filters.createdTo} />
      </div>
      <div className={classes.pair}>
        <TextInput {...field('min_minutes')} {...minutes} label={filters.minMinutes} />
        <TextInput {...field('max_minutes')} {...minutes} label={filters.maxMinutes} />
      </div>
    </>
  )
}
