import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconDownload } from '../../icons/icons.tsx'
import { ErrorState } from '../error-state.tsx'
import { saveCsv } from './save-csv.ts'

interface Props {
  /** Of the file. */
  name: string
  label: string
  /** Says how many rows the file has at most. */
  hint: string
  /** Resolves to the file. */
  read: () => Promise<string>
}

/** Saves rows as a CSV file. */
export function ExportButton({ name, label, hint, read }: Props) {
  const save = useMutation({ mutationFn: async () => saveCsv(name, await read()) })
  return (
    <>
      {save.error && <ErrorState error={save.error} />}
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        loading={save.isPending}
        title={hint}
        onClick={() => save.mutate()}
      >
        {label}
      </Button>
    </>
  )
}
