import type { ReactNode } from 'react'
import type { Video } from '../../../api/videos.ts'
import { TextLink } from '../../../parts/links/links.tsx'
import { CopiedFact, Fact, Facts } from '../../../parts/text/facts.tsx'
import { useVideosWords } from '../words.ts'
import { toRows, type MetadataRow } from './metadata-rows.ts'
import classes from './own.module.css'

/** What the integrator keeps with a video; nothing if that is nothing. Each tag leads to the videos that have it. */
export function OwnData({ account, video }: { account: string; video: Video }) {
  const { own } = useVideosWords()
  const { external_id: externalId, tags, metadata } = video
  const rows = toRows(metadata)
  if (externalId === null && tags.length === 0 && rows.length === 0) return null
  return (
    <Facts>
      {externalId !== null && <CopiedFact name={own.externalId} value={externalId} />}
      <Fact
        name={own.tags}
        value={
          tags.length > 0 && (
            <Tags tags={tags}>
              {(tag) => (
                <TextLink
                  inherit
                  to="/accounts/$account/videos"
                  params={{ account }}
                  search={{ tag }}
                  activeOptions={{ exact: true }}
                >
                  <bdi>{tag}</bdi>
                </TextLink>
              )}
            </Tags>
          )
        }
      />
      <Fact name={own.metadata} value={rows.length > 0 && <MetadataValues rows={rows} />} />
    </Facts>
  )
}

interface TagsProps {
  tags: readonly string[]
  children: (tag: string) => ReactNode
}

const Tags = ({ tags, children }: TagsProps) => (
  <ul className={classes.tags}>
    {tags.map((tag) => (
      <li key={tag} className={classes.tag}>
        {children(tag)}
      </li>
    ))}
  </ul>
)

const MetadataValues = ({ rows }: { rows: readonly MetadataRow[] }) => (
  <dl className={classes.values}>
    {rows.map(({ key, value }) => (
      <div key={key} className={classes.entry}>
        <dt>
          <bdi>{key}</bdi>
        </dt>
        <dd>
          <bdi>{value}</bdi>
        </dd>
      </div>
    ))}
  </dl>
)
