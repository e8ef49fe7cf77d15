import { useQuery } from '@tanstack/react-query'
import type { Cursors } from '../../../api/cursors.ts'
import { videoViewersCsv, videoViewersQuery } from '../../../api/viewers.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import { Cell, DataTable, TableSkeleton } from '../../../parts/lists/data-table.tsx'
import { Pager } from '../../../parts/lists/pager.tsx'
import { Section } from '../../../parts/section.tsx'
import audience from '../../audience/audience.module.css'
import { ExportRows } from '../../audience/export-rows.tsx'
import { ProgressCells, useProgressColumns } from '../../audience/progress-cells.tsx'
import { ViewerLink } from '../../audience/viewer-link.tsx'
import { useAudienceWords } from '../../audience/words.ts'

interface Props {
  account: string
  id: string
  cursors: Cursors
}

/** Who has watched the video, and how far, of all time. */
export function VideoViewers({ account, id, cursors }: Props) {
  const { viewers: words } = useAudienceWords()
  const columns = useProgressColumns()
  const { data, error, refetch } = useQuery(videoViewersQuery(account, id, cursors))
  const isEmpty = data?.data.length === 0
  return (
    <Section
      title={words.ofVideo}
      actions={
        data && !isEmpty && <ExportRows name="viewers" read={() => videoViewersCsv(account, id)} />
      }
    >
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {isEmpty && <p className={audience.none}>{words.noneOfVideo}</p>}
      {data && !isEmpty && (
        <DataTable label={words.ofVideo} name="video-viewers" columns={[words.viewer, ...columns]}>
          {data.data.map((row) => (
            <tr key={row.id}>
              <Cell isWide>
                <ViewerLink account={account} viewer={row.viewer_id} />
              </Cell>
              <ProgressCells row={row} />
            </tr>
          ))}
        </DataTable>
      )}
      {data && <Pager page={data} cursors={cursors} />}
      {!data && !error && <TableSkeleton />}
    </Section>
  )
}
