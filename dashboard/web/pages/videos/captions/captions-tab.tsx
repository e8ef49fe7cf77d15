import { Badge, Button, Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useMayEdit } from '../../../api/me.ts'
import { captionsQuery, playerSettingsQuery, type Caption } from '../../../api/video-parts.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import layout from '../../../parts/layout.module.css'
import { useFormats } from '../../../parts/text/formats.ts'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import { useVideosWords } from '../words.ts'
import { CaptionText } from './caption-text.tsx'
import { CaptionUpload } from './caption-upload.tsx'
import classes from './captions.module.css'
import { DeleteCaption } from './delete-caption.tsx'
import { languageName } from './language-name.ts'

const route = getRouteApi('/accounts/$account/videos/$video/captions')

/** The captions of a video: list, text, upload, replacement and deletion. */
function CaptionsTab() {
  const { account, video } = route.useParams()
  const { captions: words } = useVideosWords()
  const { data, error, refetch } = useQuery(captionsQuery(account, video))
  // With the captions, so that nothing moves when the settings arrive.
  const { isPending } = useQuery(playerSettingsQuery(account))
  const mayEdit = useMayEdit(account)
  // The language that the next upload replaces.
  const [replaced, setReplaced] = useState<Caption | null>(null)
  if (!error && (!data || isPending)) return <Skeleton height={160} radius="lg" />
  return (
    <div className={classes.page}>
      <div className={layout.stack}>
        {error && <ErrorState error={error} retry={() => void refetch()} />}
        {data?.length === 0 && <NoCaptions />}
        {data && data.length > 0 && (
          <ul className={classes.items} aria-label={words.list}>
            {data.map((caption) => (
              <CaptionItem
                key={caption.language_code}
                caption={caption}
                onReplace={() => setReplaced(caption)}
              />
            ))}
          </ul>
        )}
        {data && <DefaultLanguage account={account} />}
      </div>
      {mayEdit && (
        <CaptionUpload
          key={replaced?.language_code}
          account={account}
          video={video}
          replaced={replaced}
          onDone={() => setReplaced(null)}
        />
      )}
    </div>
  )
}

function NoCaptions() {
  const { captions: words } = useVideosWords()
  return (
    <div className={classes.empty}>
      <Text fw={500}>{words.empty}</Text>
      <Text size="sm" c="dimmed">
        {words.emptyHint}
      </Text>
    </div>
  )
}

interface ItemProps {
  caption: Caption
  onReplace: () => void
}

function CaptionItem({ caption, onReplace }: ItemProps) {
  const { account, video } = route.useParams()
  const { open } = route.useSearch()
  const navigate = route.useNavigate()
  const { captions: words } = useVideosWords()
  const { bytes } = useFormats()
  const mayEdit = useMayEdit(account)
  const { language_code: code, label } = caption
  const isOpen = open === code
  const toggle = (): void =>
    void navigate({
      search: (now) => ({ ...now, open: isOpen ? undefined : code }),
      replace: true,
      resetScroll: false,
    })
  return (
    <li>
      <div className={classes.item}>
        <div className={classes.itemText}>
          <Group gap="xs">
            <bdi>{label}</bdi>
            <Badge variant="default" tt="none" dir="ltr">
              {code}
            </Badge>
            <DefaultBadge account={account} code={code} />
          </Group>
          <Text size="xs" c="dimmed">
            <bdi>{languageName(code)}</bdi> · <bdi>{bytes(caption.size_bytes)}</bdi> ·{' '}
            <RelativeTime at={caption.updated_at} />
          </Text>
        </div>
        <Group gap="xs">
          <Button variant="default" size="compact-sm" aria-expanded={isOpen} onClick={toggle}>
            {isOpen ? words.hide : words.show}
          </Button>
          {mayEdit && (
            <>
              <Button variant="default" size="compact-sm" onClick={onReplace}>
                {words.replace}
              </Button>
              <DeleteCaption account={account} video={video} caption={caption} />
            </>
          )}
        </Group>
      </div>
      {isOpen && <CaptionText account={account} video={video} caption={caption} />}
    </li>
  )
}

/** The captions that the account's players show from the start. */
function DefaultBadge({ account, code }: { account: string; code: string }) {
  const { captions: words } = useVideosWords()
  const { data } = useQuery(playerSettingsQuery(account))
  const isDefault = data?.subtitles.default_language === code
  return isDefault ? <Badge variant="light">{words.default}</Badge> : null
}

function DefaultLanguage({ account }: { account: string }) {
  const { captions: words } = useVideosWords()
  const { data } = useQuery(playerSettingsQuery(account))
  if (!data) return null
  const { enabled_by_default: isShown, default_language: language } = data.subtitles
  return (
    <Text size="sm" c="dimmed">
      {isShown ? words.shownAtStart : words.hiddenAtStart}{' '}
      {language !== null && (
        <>
          {words.defaultLanguage} <bdi>{languageName(language)}</bdi>.{' '}
        </>
      )}
      {words.settings}
    </Text>
  )
}

export const captionsRoute = createLazyRoute('/accounts/$account/videos/$video/captions')({
  component: CaptionsTab,
})
