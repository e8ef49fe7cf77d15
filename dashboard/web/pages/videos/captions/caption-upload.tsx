import { Button, Code, Group, TextInput } from '@mantine/core'
import { CAPTION_MAX_BYTES } from '../../../../../domain/limits.ts'
import type { Problem } from '../../../api/problem.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import { FileDrop } from '../../../parts/forms/file-drop.tsx'
import { fieldsOf } from '../../../parts/forms/form-fields.ts'
import layout from '../../../parts/layout.module.css'
import { Section } from '../../../parts/section.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { useVideosWords } from '../words.ts'
import { CaptionConflict } from './caption-conflict.tsx'
import classes from './captions.module.css'
import { useCaptionUpload, type CaptionUploadProps, type ChosenFile } from './use-caption-upload.ts'

/** Adds a caption from a file, which is dropped or picked. A refusal names the line, which is then shown. */
export function CaptionUpload(props: CaptionUploadProps) {
  const { captions: words } = useVideosWords()
  const { replaced, onDone } = props
  const upload = useCaptionUpload(props)
  const { file } = upload
  const title = replaced ? interpolate(words.replaceTitle, { label: replaced.label }) : words.add
  return (
    <Section title={title}>
      <CaptionDrop file={file} onFile={upload.choose} />
      {file && <CaptionForm upload={upload} file={file} replaced={replaced} onDone={onDone} />}
      {replaced && (
        <Group>
          <Button variant="subtle" size="compact-sm" onClick={onDone}>
            {words.addInstead}
          </Button>
        </Group>
      )}
    </Section>
  )
}

interface FormProps extends Pick<CaptionUploadProps, 'replaced' | 'onDone'> {
  upload: ReturnType<typeof useCaptionUpload>
  file: ChosenFile
}

function CaptionForm({ upload, file, replaced, onDone }: FormProps) {
  const { captions: words } = useVideosWords()
  const { form, stored, isDecided, add, reset } = upload
  const { field, problem } = fieldsOf(form, add.error)
  const isUndecided = stored !== undefined && !isDecided
  return (
    <form onSubmit={form.onSubmit(() => add.mutate(file.content))} className={layout.section}>
      {problem && problem.field !== 'content' && <ErrorState error={problem} />}
      {stored !== undefined && (
        <CaptionConflict
          mine={{ label: form.values.label, file: file.name }}
          stored={stored}
          isDecided={isDecided}
          onMine={() => upload.setDecided(true)}
          onTheirs={() => {
            reset()
            upload.setFile(null)
            onDone()
          }}
        />
      )}
      {problem?.field === 'content' && <Fault problem={problem} content={file.content} />}
      <Group align="flex-start" grow>
        <TextInput
          {...field('language_code')}
          label={words.language}
          description={words.languageHint}
          readOnly={replaced !== null}
          required
          dir="ltr"
        />
        <TextInput
          {...field('label')}
          label={words.label}
          description={words.labelHint}
          required
          dir="auto"
        />
      </Group>
      <Group justify="flex-end">
        <Button type="submit" loading={add.isPending} disabled={isUndecided}>
          {replaced ? words.replace : words.add}
        </Button>
      </Group>
    </form>
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
      hint={
        file ? <bdi>{file.name}</bdi> : interpolate(words.drop, { size: bytes(CAPTION_MAX_BYTES) })
      }
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
