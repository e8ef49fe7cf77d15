import { Button, Group, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useWords } from '../../../locales/words.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { useVideosWords } from '../words.ts'
import classes from './poster-tab.module.css'

interface Props {
  file: File
  isPending: boolean
  onSend: () => void
  onCancel: () => void
}

/** The picture before it is sent, because a poster is public. */
export function PosterPreview({ file, isPending, onSend, onCancel }: Props) {
  const { poster: words } = useVideosWords()
  const { parts } = useWords()
  const { bytes } = useFormats()
  // Null until it is read, and for a file that the browser cannot show.
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      if (typeof reader.result === 'string') setUrl(reader.result)
    })
    reader.readAsDataURL(file)
    return () => reader.abort()
  }, [file])
  return (
    <div className={classes.own}>
      {url !== null && <img src={url} alt={words.preview} onError={() => setUrl(null)} />}
      <div className={classes.ownText}>
        <Text size="sm">
          <bdi>{file.name}</bdi> · <bdi>{bytes(file.size)}</bdi>
        </Text>
        <Text size="sm" c="dimmed">
          {words.ownHint}
        </Text>
        <Group gap="xs">
          <Button loading={isPending} onClick={onSend}>
            {words.upload}
          </Button>
          <Button variant="default" disabled={isPending} onClick={onCancel}>
            {parts.cancel}
          </Button>
        </Group>
      </div>
    </div>
  )
}
