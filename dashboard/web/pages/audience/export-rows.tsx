import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { EXPORTED_ROWS_MAX } from '../../api/viewers.ts'
import { IconDownload } from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { saveCsv } from '../../parts/lists/save-csv.ts'
import { useFormats } from '../../parts/text/formats.ts'
import { useAudienceWords } from './words.ts'

interface Props {
  /** Of the file, without its ending. */
  name: string
  /** Asks the server for the rows as CSV. */
  read: () => Promise<string>
}

/** Saves the rows of a list, from the first on. The server makes the file, so its columns are named as in the API. */
export function ExportRows({ name, read }: Props) {
  const words = useAudienceWords()
  const { number } = useFormats()
  const save = useMutation({ mutationFn: async () => saveCsv(`${name}.csv`, await read()) })
  return (
    <>
      {save.error && <ErrorState error={save.error} />}
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        loading={save.isPending}
        title={interpolate(words.exportHint, { number: number(EXPORTED_ROWS_MAX) })}
        onClick={() => save.mutate()}
      >
        {words.export}
      </Button>
    </>
  )
}
