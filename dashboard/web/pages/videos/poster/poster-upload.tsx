import { Alert, Code, Loader, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { POSTER_UPLOAD_MAX_BYTES } from '../../../../../domain/limits.ts'
import { problemOf } from '../../../api/problem.ts'
import { posterQuery, posterUploadQuery, uploadPoster } from '../../../api/video-parts.ts'
import { IconAlertTriangle } from '../../../icons/icons.tsx'
import { interpolate } from '../../../locales/interpolate.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import { FileDrop } from '../../../parts/forms/file-drop.tsx'
import { notify } from '../../../parts/notify.ts'
import { Section } from '../../../parts/section.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import type { VideosWords } from '../locales/en.ts'
import { useVideosWords } from '../words.ts'
import { PosterPreview } from './poster-preview.tsx'
import classes from './poster-tab.module.css'

interface Props {
  account: string
  video: string
}

/** Uploads a picture as the poster: choose, look at it, send; then shows what becomes of it. */
export function PosterUpload({ account, video }: Props) {
  const { poster: words } = useVideosWords()
  const { bytes } = useFormats()
  const client = useQueryClient()
  const { data: state } = useQuery(posterUploadQuery(account, video))
  const [file, setFile] = useState<File | null>(null)
  const send = useMutation({
    mutationFn: (picture: File) => uploadPoster(account, video, picture),
    onSuccess(sent) {
      setFile(null)
      client.setQueryData(posterUploadQuery(account, video).queryKey, sent)
    },
    onError(error) {
      // The same picture would be refused again; after any other problem it can be sent once more.
      if (PICTURE_REFUSALS.includes(problemOf(error).code)) setFile(null)
    },
  })
  useRefreshOnceDone(account, video, state?.status === 'pending')
  const choose = (picture: File | null): void => {
    send.reset()
    setFile(picture)
  }
  return (
    <Section title={words.own}>
      {state?.status === 'pending' && (
        <output className={classes.preparing}>
          <Loader size="sm" aria-hidden />
          <Text size="sm">{words.preparing}</Text>
        </output>
      )}
      {state?.reason && !file && <Refusal code={state.reason} />}
      {send.error && <Problem error={send.error} />}
      {file ? (
        <PosterPreview
          key={`${file.name} ${file.lastModified}`}
          file={file}
          isPending={send.isPending}
          onSend={() => send.mutate(file)}
          onCancel={() => choose(null)}
        />
      ) : (
        <FileDrop
          label={words.choose}
          hint={interpolate(words.drop, { size: bytes(POSTER_UPLOAD_MAX_BYTES) })}
          tooLarge={words.tooLarge}
          maxBytes={POSTER_UPLOAD_MAX_BYTES}
          accept="image/jpeg,image/png,image/webp"
          onFile={choose}
        />
      )}
    </Section>
  )
}

/** Loads what shows the poster again when an upload is no longer pending. */
function useRefreshOnceDone(account: string, video: string, isPending: boolean): void {
  const { poster: words } = useVideosWords()
  const client = useQueryClient()
  const wasPending = useRef(false)
  useEffect(() => {
    const hasEnded = wasPending.current && !isPending
    wasPending.current = isPending
    if (!hasEnded) return
    const state = client.getQueryData(posterUploadQuery(account, video).queryKey)
    if (state?.status === null) notify(words.chosen)
    void client.invalidateQueries({ queryKey: posterQuery(account, video).queryKey })
    void client.invalidateQueries({ queryKey: ['video', account, video] })
    void client.invalidateQueries({ queryKey: ['videos', account] })
  }, [isPending, client, account, video, words])
}

/** The words for the codes of refusals. */
const REFUSALS: Record<string, keyof VideosWords['poster']['refusals']> = {
  unsupported_picture: 'format',
  animated_picture: 'animated',
  picture_too_large: 'pixels',
  picture_too_small: 'small',
  unreadable_picture: 'damaged',
  insufficient_storage: 'storage',
  too_many_poster_uploads: 'busy',
  internal_error: 'internal',
}

/** Refusals that another attempt with the same file does not change. */
const PICTURE_REFUSALS = [
  'unsupported_picture',
  'animated_picture',
  'picture_too_large',
  'picture_too_small',
]

/** Why the picture was not sent: in plain words if it is about the picture. */
function Problem({ error }: { error: unknown }) {
  const { code, status } = problemOf(error)
  const isRefusal = code in REFUSALS && status < 500
  return isRefusal ? <Refusal code={code} /> : <ErrorState error={error} />
}

function Refusal({ code }: { code: string }) {
  const { poster: words } = useVideosWords()
  const refusal = REFUSALS[code] ?? 'internal'
  return (
    <Alert
      color="red"
      variant="light"
      title={words.refusals[refusal]}
      icon={<IconAlertTriangle size={18} />}
    >
      <Text size="sm">
        {words.unchanged} <Code>{code}</Code>
      </Text>
    </Alert>
  )
}
