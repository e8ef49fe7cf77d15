import { Button, Menu } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Interval } from '../../../../domain/audience/ranges.ts'
import {
  audienceCsv,
  breakdownCsv,
  topVideosCsv,
  type AudienceOrder,
  type Days,
} from '../../api/audience.ts'
import { IconDownload } from '../../icons/icons.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { saveCsv } from '../../parts/lists/save-csv.ts'
import classes from './audience.module.css'
import { SHOWN_KINDS } from './breakdown.tsx'
import { useAudienceWords } from './words.ts'

interface Props {
  account: string
  days: Days & { interval: Interval }
  /** Absent for all videos. */
  video?: string
  /** Absent for one video. */
  order?: AudienceOrder
  /** False until there is something to save. */
  isReady: boolean
}

/** Saves one of the tables of the page. The server makes the file, so its columns are named as in the API. */
export function ExportAudience({ account, days, video, order, isReady }: Props) {
  const words = useAudienceWords()
  const of = { from: days.from, to: days.to, video }
  const files = [
    {
      name: 'audience',
      text: words.overTime,
      read: () => audienceCsv(account, { ...days, video }),
    },
    ...(order === undefined
      ? []
      : [{ name: 'videos', text: words.top.title, read: () => topVideosCsv(account, of, order) }]),
    ...SHOWN_KINDS.map((kind) => ({
      name: kind,
      text: words.kinds[kind],
      read: () => breakdownCsv(account, of, kind),
    })),
  ]
  const save = useMutation({
    mutationFn: async ({ name, read }: (typeof files)[number]) =>
      saveCsv(`${name}-${days.from}-${days.to}.csv`, await read()),
  })
  return (
    <>
      {save.error && <ErrorState error={save.error} />}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            className={classes.export}
            variant="default"
            disabled={!isReady}
            leftSection={<IconDownload size={16} />}
            loading={save.isPending}
          >
            {words.export}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {files.map((file) => (
            <Menu.Item key={file.name} onClick={() => save.mutate(file)}>
              {file.text}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
