import { NativeSelect, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isViewerTokenEnforced } from '../../../../../domain/settings/player-settings.ts'
import { meQuery, useMay } from '../../../api/me.ts'
import { settingsQuery } from '../../../api/settings.ts'
import type { Video } from '../../../api/videos.ts'
import { TextLink } from '../../../parts/links/links.tsx'
import { CopyButton } from '../../../parts/text/copy-button.tsx'
import { EMBED_FORM_NAMES, EMBED_FORMS, embedSnippet, type EmbedForm } from '../embed/embed-code.ts'
import { useVideosWords } from '../words.ts'
import classes from './share.module.css'

interface Props {
  account: string
  video: Video
}

/** Copies the link of a video, or its embed code in a chosen form, without leaving the page. */
export function Share({ account, video }: Props) {
  const { share: words } = useVideosWords()
  return (
    <section className={classes.share} aria-label={words.title}>
      <EmbedCode video={video} />
      <ShareLink account={account} video={video} />
      <TokenHint account={account} video={video} />
    </section>
  )
}

function EmbedCode({ video }: { video: Video }) {
  const { share: words } = useVideosWords()
  const [form, setForm] = useState<EmbedForm>('iframe')
  return (
    <div className={classes.code}>
      <CopyButton isWide size="sm" text={embedSnippet(form, video)} label={words.copyCode} />
      <NativeSelect
        className={classes.form}
        aria-label={words.form}
        value={form}
        onChange={({ currentTarget: { value } }) =>
          setForm(EMBED_FORMS.find((one) => one === value) ?? 'iframe')
        }
      >
        {EMBED_FORMS.map((one) => (
          <option key={one} value={one}>
            {EMBED_FORM_NAMES[one]}
          </option>
        ))}
      </NativeSelect>
    </div>
  )
}

/** The page of Direct Play if it is on; else the address of the embed, which plays on other pages alone. */
function ShareLink({ account, video }: Props) {
  const { share: words } = useVideosWords()
  const { data: me, isPending: isMePending } = useQuery(meQuery(account))
  const mayTurnOn = useMay(account, 'settings:write')
  const { data: saved, isPending } = useQuery(settingsQuery(account))
  if (isPending || isMePending) return <Skeleton width="9rem" height={36} />
  const base = me?.direct_play_url ?? null
  if (base !== null && saved?.settings.direct_play)
    return <CopyButton isWide size="sm" text={directPlayLink(base, video)} label={words.copyLink} />
  return (
    <>
      <CopyButton isWide size="sm" text={video.embed_url} label={words.copyAddress} />
      {base !== null && mayTurnOn && (
        <TextLink size="sm" to="/accounts/$account/settings/protection" params={{ account }}>
          {words.turnOn}
        </TextLink>
      )}
    </>
  )
}

/** The same path as that of the embed. */
const directPlayLink = (base: string, { id, embed_url: url }: Video): string =>
  base + url.slice(url.lastIndexOf(`/${id}/`))

/** Without a token, the copied code would show a refusal. */
function TokenHint({ account, video }: Props) {
  const { share: words } = useVideosWords()
  const { data } = useQuery(settingsQuery(account))
  if (!data || !isViewerTokenEnforced(data.settings)) return null
  return (
    <span className={classes.hint}>
      {words.needsToken}{' '}
      <TextLink
        inherit
        to="/accounts/$account/videos/$video/embed"
        params={{ account, video: video.id }}
        hash="token"
      >
        {words.sign}
      </TextLink>
    </span>
  )
}
