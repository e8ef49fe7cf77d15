import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { renditionsQuery, type Rendition } from '../../../api/video-parts.ts'
import { videoQuery } from '../../../api/videos.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import layout from '../../../parts/layout.module.css'
import { Cell, DataTable, RowTitle } from '../../../parts/lists/data-table.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import { useVideosWords } from '../words.ts'

const route = getRouteApi('/accounts/$account/videos/$video/renditions')

/** What players can choose from, and what it takes of the storage. */
function RenditionsTab() {
  const { account, video: id } = route.useParams()
  const { renditions: words } = useVideosWords()
  const { bytes } = useFormats()
  const { data: video } = useQuery(videoQuery(account, id))
  const { data, error, refetch } = useQuery(renditionsQuery(account, id))
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height={240} />
  if (data.length === 0) return <Text c="dimmed">{words.none}</Text>
  const sizeBytes = data.reduce((sum, rendition) => sum + rendition.size_bytes, 0)
  // The size of the video is written when it is ready.
  const otherBytes = Math.max(0, (video?.size_bytes ?? 0) - sizeBytes)
  return (
    <div className={layout.column}>
      <RenditionsTable renditions={data} />
      <Text size="sm">
        {interpolate(words.total, { size: bytes(sizeBytes + otherBytes) })}
        {otherBytes > 0 && ` ${interpolate(words.other, { size: bytes(otherBytes) })}`}
      </Text>
    </div>
  )
}

function RenditionsTable({ renditions }: { renditions: Rendition[] }) {
  const { tabs, renditions: words } = useVideosWords()
  const { name, picture, codecs, bitRate, size, published } = words
  return (
    <DataTable
      label={tabs.renditions}
      name="renditions"
      columns={[name, picture, codecs, bitRate, size, published]}
    >
      {renditions.map((rendition) => (
        <RenditionRow key={rendition.name} rendition={rendition} />
      ))}
    </DataTable>
  )
}

function RenditionRow({ rendition }: { rendition: Rendition }) {
  const { renditions: words } = useVideosWords()
  const { bytes, bitRate } = useFormats()
  const { name, kind, width, height, codecs, loudness } = rendition
  const lufs = loudness?.integrated_lufs ?? null
  const sound = lufs === null ? words[kind] : `${words[kind]}, ${lufs} LUFS`
  const picture = width !== null && height !== null ? `${width} × ${height}` : sound
  return (
    <tr>
      <Cell isHeading>
        <RowTitle>
          <bdi>{name}</bdi>
        </RowTitle>
      </Cell>
      <Cell label={words.picture}>
        <span dir="ltr">{picture}</span>
      </Cell>
      <Cell label={words.codecs}>
        <code dir="ltr">{codecs}</code>
      </Cell>
      <Cell label={words.bitRate}>{bitRate(rendition.bandwidth_bps)}</Cell>
      <Cell label={words.size}>{bytes(rendition.size_bytes)}</Cell>
      <Cell label={words.published}>
        <RelativeTime at={rendition.created_at} />
      </Cell>
    </tr>
  )
}

export const renditionsRoute = createLazyRoute('/accounts/$account/videos/$video/renditions')({
  component: RenditionsTab,
})
