import { EXPORTED_ROWS_MAX } from '../../api/viewers.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { ExportButton } from '../../parts/lists/export-button.tsx'
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
  const hint = interpolate(words.exportHint, { number: number(EXPORTED_ROWS_MAX) })
  return <ExportButton name={`${name}.csv`} label={words.export} hint={hint} read={read} />
}
