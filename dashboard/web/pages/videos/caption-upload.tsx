import { Button, Code, Group, TextInput, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { CAPTION_MAX_BYTES } from '../../../../domain/limits.ts'
import { apiOf } from '../../api/client.ts'
import { problemOf } from '../../api/problem.ts'
import type { Problem } from '../../api/problem.ts'
import { outcomeOf } from '../../api/stale.ts'
import { captionsQuery } from '../../api/video-parts.ts'
import type { Caption } from '../../api/video-parts.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { FileDrop } from '../../parts/file-drop.tsx'
import { useFormats } from '../../parts/formats.ts'
import { fill } from '../../words/fill.ts'
import { CaptionConflict } from './caption-conflict.tsx'
import { languageName, languageOfFile } from './language-name.ts'
import { useVideosWords } from './words.ts'
import classes from './videos.module.css'

interface Props {
  account: string
  video: string
  /** The caption that the file replaces; null for one of another language. */
  replaced: Caption | null
  onDone: () => void
}

interface ChosenFile {
  name: string
  content: string
}

/** Adds a caption from a file, which is dropped or picked. A refusal names the line, which is then shown. */
export function CaptionUpload({ account, video, replaced, onDone }: Props) {
  const { captions: words } = useVideosWords()
  const client = useQueryClient()
  const [file, setFile] = useState<ChosenFile | null>(null)
  const [language, setLanguage] = useState(replaced?.language_code ?? '')
  const [label, setLabel] = useState(replaced?.label ?? '')
  // What is stored in place of what this form has started from; undefined unless a save has found that.
  const [stored, setStored] = useState<Caption | null>()
  const [isDecided, setDecided] = useState(false)
  const seen = stored === undefined ? replaced : stored
  const reset = (): void => {
    setStored(undefined)
    setDecided(false)
  }
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
      setLanguage('')
      setLabel('')
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
    setLanguage(guess)
    if (label === '') setLabel(languageName(guess))
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (file) add.mutate(file.content)
  }
  const problem = add.error && problemOf(add.error)
  const title = replaced ? fill(words.replaceTitle, { label: replaced.label }) : words.add
  return (
    <section className={classes.section} aria-labelledby="add-caption">
      <Title order={2} id="add-caption">
        {title}
      </Title>
      <CaptionDrop file={file} onFile={choose} />
      {file && (
        <form onSubmit={submit} className={classes.section}>
          {problem?.field === null && <ErrorState error={problem} />}
          {stored !== undefined && (
            <CaptionConflict
              mine={{ label, file: file.name }}
              stored={stored}
              isDecided={isDecided}
              onMine={() => setDecided(true)}
              onTheirs={() => {
                reset()
                setFile(null)
                onDone()
              }}
            />
          )}
          {problem?.field === 'content' && <Fault problem={problem} content={file.content} />}
          <Names
            language={language}
            label={label}
            isReplacement={replaced !== null}
            problem={problem}
            onLanguage={(typed) => {
              reset()
              setLanguage(typed)
            }}
            onLabel={setLabel}
          />
          <Group justify="flex-end">
            <Button
              type="submit"
              loading={add.isPending}
              disabled={stored !== undefined && !isDecided}
            >
              {replaced ? words.replace : words.add}
            </Button>
          </Group>
        </form>
      )}
      {replaced && (
        <Group>
          <Button variant="subtle" size="compact-sm" onClick={onDone}>
            {words.addInstead}
          </Button>
        </Group>
      )}
    </section>
  )
}

/** The caption of a language, which was typed in any case. */
const storedIn = (captions: Caption[], language: string): Caption | null =>
  captions.find((one) => one.language_code.toLowerCase() === language.trim().toLowerCase()) ?? null

interface NamesProps {
  language: string
  label: string
  isReplacement: boolean
  problem: Problem | null
  onLanguage: (language: string) => void
  onLabel: (label: string) => void
}

function Names({ language, label, isReplacement, problem, onLanguage, onLabel }: NamesProps) {
  const { captions: words } = useVideosWords()
  const errorAt = (field: string) => (problem?.field === field ? problem.message : undefined)
  return (
    <Group align="flex-start" grow>
      <TextInput
        label={words.language}
        description={words.languageHint}
        value={language}
        onChange={({ currentTarget }) => onLanguage(currentTarget.value)}
        error={errorAt('language_code')}
        readOnly={isReplacement}
        required
        dir="ltr"
      />
      <TextInput
        label={words.label}
        description={words.labelHint}
        value={label}
        onChange={({ currentTarget }) => onLabel(currentTarget.value)}
        error={errorAt('label')}
        required
        dir="auto"
      />
    </Group>
  )
}

interface DropProps {
  file: ChosenFile | null
  onFile: (file: ChosenFile) => void
}

function CaptionDrop({ file, onFile }: DropProps) {
  const { captions: words } = useVideosWords()
  const { bytes } = useFormats()
  const read = async (chosen: File): Promise<void> =>
    onFile({ name: chosen.name, content: await chosen.text() })
  return (
    <FileDrop
      label={words.choose}
      hint={file ? <bdi>{file.name}</bdi> : fill(words.drop, { size: bytes(CAPTION_MAX_BYTES) })}
      tooLarge={words.tooLarge}
      maxBytes={CAPTION_MAX_BYTES}
      accept=".vtt,text/vtt"
      onFile={(chosen) => void read(chosen)}
    />
  )
}

const LINES_AROUND = 2

/** Why a text was refused, with the lines around the fault. */
function Fault({ problem, content }: { problem: Problem; content: string }) {
  const [, line] = /line (\d+)/.exec(problem.message) ?? []
  const at = Number(line ?? 0)
  const lines = content.split(/\r\n|\n|\r/)
  const from = Math.max(1, at - LINES_AROUND)
  return (
    <ErrorState error={problem}>
      {at > 0 && (
        <Code block dir="ltr" my="xs">
          {lines.slice(from - 1, at + LINES_AROUND).map((text, index) => (
            <span key={index} className={classes.faultLine} data-at={from + index === at}>
              {from + index} <bdi>{text}</bdi>
            </span>
          ))}
        </Code>
      )}
    </ErrorState>
  )
}
