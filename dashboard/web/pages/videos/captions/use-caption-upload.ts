import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiOf } from '../../../api/client.ts'
import { outcomeOf } from '../../../api/stale.ts'
import { captionsQuery, type Caption } from '../../../api/video-parts.ts'
import { languageName, languageOfFile } from './language-name.ts'

export interface CaptionUploadProps {
  account: string
  video: string
  /** The caption that the file replaces; null for one of another language. */
  replaced: Caption | null
  onDone: () => void
}

export interface ChosenFile {
  name: string
  content: string
}

/** The form of a caption: what is typed, and what another member has saved meanwhile. */
export function useCaptionUpload({ account, video, replaced, onDone }: CaptionUploadProps) {
  const client = useQueryClient()
  const [file, setFile] = useState<ChosenFile | null>(null)
  // What is stored in place of what this form has started from; undefined unless a save has found that.
  const [stored, setStored] = useState<Caption | null>()
  const [isDecided, setDecided] = useState(false)
  const seen = stored === undefined ? replaced : stored
  const reset = (): void => {
    setStored(undefined)
    setDecided(false)
  }
  const form = useForm({
    initialValues: {
      language_code: replaced?.language_code ?? '',
      label: replaced?.label ?? '',
    },
    onValuesChange(now, before) {
      if (now.language_code !== before.language_code) reset()
    },
  })
  const { language_code: language, label } = form.values
  const add = useMutation({
    mutationFn: (content: string) => {
      const from = seen && {
        label: seen.label,
        size_bytes: seen.size_bytes,
        updated_at: seen.updated_at,
      }
      const body = { language_code: language.trim(), label: label.trim(), content, from }
      const params = { path: { id: video } }
      return outcomeOf(apiOf(account).POST('/videos/{id}/captions', { params, body }))
    },
    async onSuccess({ kind, current }) {
      if (kind === 'stale') {
        client.setQueryData(captionsQuery(account, video).queryKey, current.data)
        setDecided(false)
        setStored(storedIn(current.data, language))
        return
      }
      reset()
      setFile(null)
      form.setValues({ language_code: '', label: '' })
      onDone()
      await client.invalidateQueries({ queryKey: ['captions', account, video] })
      await client.invalidateQueries({ queryKey: ['video', account, video] })
    },
  })
  const choose = (chosen: ChosenFile): void => {
    add.reset()
    setFile(chosen)
    const guess = languageOfFile(chosen.name)
    if (guess === null || language !== '') return
    form.setValues({ language_code: guess, label: label === '' ? languageName(guess) : label })
  }
  return { form, file, stored, isDecided, add, choose, setFile, setDecided, reset }
}

/** The caption of a language, which was typed in any case. */
const storedIn = (captions: Caption[], language: string): Caption | null =>
  captions.find((one) => one.language_code.toLowerCase() === language.trim().toLowerCase()) ?? null
