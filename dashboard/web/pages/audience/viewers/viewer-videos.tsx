import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { viewerProgressCsv, viewerProgressQuery } from '../../../api/viewers.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import { Cell, DataTable, TableSkeleton } from '../../../parts/lists/data-table.tsx'
import { Pager } from '../../../parts/lists/pager.tsx'
import { Section } from '../../../parts/section.tsx'
import { ExportRows } from '../export-rows.tsx'
import { ProgressCells, useProgressColumns } from '../progress-cells.tsx'
import { useAudienceWords } from '../words.ts'
import { VideoTitle } from './video-title.tsx'

const route = getRouteApi('/accounts/$account/audience/viewer')

/** The videos of a viewer, those that were counted last first. */
export function ViewerVideos({ account, id }: { account: string; id: string }) {
  const { viewer, top } = useAudienceWords()
  const columns = useProgressColumns()
  const { id: _id, ...cursors } = route.useSearch()
  const { data, error, refetch } = useQuery(viewerProgressQuery(account, id, cursors))
  return (
    <Section
      title={viewer.watched}
      actions={
        data &&
        data.data.length > 0 && (
          <ExportRows name="viewer" read={() => viewerProgressCsv(account, id)} />
        )
      }
    >
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {data && (
        <DataTable label={viewer.watched} name="viewer-videos" columns={[top.video, ...columns]}>
          {data.data.map((row) => (
            <tr key={row.id}>
              <Cell isWide>
                <VideoTitle account={account} id={row.video_id} title={row.video_title} />
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
