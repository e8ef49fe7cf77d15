/* oxlint-disable jsx-a11y/prefer-tag-over-role -- HTML has no field with a list of rich options (ARIA APG, combobox). */
import { Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { apiOf, unwrap } from '../../../api/client.ts'
import { foldersQuery, type Video } from '../../../api/videos.ts'
import { IconFolder, IconFolderOff, IconPlus } from '../../../icons/icons.tsx'
import { interpolate } from '../../../locales/interpolate.ts'
import { useWords } from '../../../locales/words.tsx'
import { Dialog } from '../../../parts/dialogs/dialog.tsx'
import { ErrorState } from '../../../parts/error-state.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { useMove, type Move } from '../folders/use-move.ts'
import { useVideosWords } from '../words.ts'
import classes from './move-videos.module.css'

/** More are found by more letters. */
const SHOWN_MAX = 50

interface Props {
  account: string
  videos: readonly Video[]
  onClose: () => void
  onDone: () => void
}

/** Where videos can go: an existing folder, none, or one that is made for them. */
type Target = Move['folder'] | { newName: string }

/** The dialog that moves videos to a folder that is typed or chosen, or out of any. */
export function MoveVideos({ account, videos, onClose, onDone }: Props) {
  const { videos: texts } = useWords()
  const { list } = useVideosWords()
  const { counted } = useFormats()
  const id = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const targets = useTargets(account, text.trim())
  const move = useMoveTo(account, videos, onDone)
  const current = Math.min(chosen, targets.length - 1)
  const take = (target: Target | undefined): void => {
    if (target !== undefined && !move.isPending) move.mutate(target)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 && event.key !== 'Enter') return
    event.preventDefault()
    if (step === 0) take(targets[current])
    else setChosen((current + step + targets.length) % Math.max(targets.length, 1))
  }
  return (
    <Dialog opened onClose={onClose} title={counted(list.moveTitle, videos.length)}>
      <Stack gap="xs">
        {move.error && <ErrorState error={move.error} />}
        <TextInput
          label={texts.folder}
          placeholder={list.findOrCreate}
          role="combobox"
          aria-expanded
          aria-controls={id}
          aria-activedescendant={targets.length > 0 ? `${id}-${current}` : undefined}
          autoComplete="off"
          dir="auto"
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value)
            setChosen(0)
          }}
          onKeyDown={onKey}
          data-autofocus
        />
        <div id={id} role="listbox" aria-label={texts.folder} className={classes.targets}>
          {targets.map((target, index) => (
            <Option
              key={keyOf(target)}
              id={`${id}-${index}`}
              target={target}
              isChosen={index === current}
              isPending={move.isPending && keyOf(move.variables) === keyOf(target)}
              onTake={() => take(target)}
            />
          ))}
        </div>
        <Text size="sm" c="dimmed" component="output">
          {targets.length === 0 ? list.noFolders : ''}
        </Text>
      </Stack>
    </Dialog>
  )
}

const keyOf = (target: Target): string | number =>
  target === null ? 'none' : 'newName' in target ? 'new' : target.id

/** The folders whose name contains the text; without one also none, and for another name a new one. */
function useTargets(account: string, text: string): Target[] {
  const { data: folders = [] } = useQuery(foldersQuery(account))
  const sought = text.toLocaleLowerCase()
  const found = folders.filter(({ name }) => name.toLocaleLowerCase().includes(sought))
  const isKnown = found.some(({ name }) => name.toLocaleLowerCase() === sought)
  const others = text === '' ? [null] : isKnown ? [] : [{ newName: text }]
  return [...found.slice(0, SHOWN_MAX), ...others]
}

/** Moves the videos, after the folder was made for them. Another attempt uses that folder. */
function useMoveTo(account: string, videos: readonly Video[], onDone: () => void) {
  const { mutateAsync } = useMove(account)
  const made = useRef<{ id: number; name: string }>(null)
  const folderOf = async (name: string) => {
    if (made.current?.name === name) return made.current
    const { id } = await unwrap(apiOf(account).POST('/v1/folders', { body: { name } }))
    made.current = { id, name }
    return made.current
  }
  return useMutation({
    mutationFn: async (target: Target) => {
      const isNew = target !== null && 'newName' in target
      await mutateAsync({ videos, folder: isNew ? await folderOf(target.newName) : target })
    },
    onSuccess: onDone,
  })
}

interface OptionProps {
  id: string
  target: Target
  isChosen: boolean
  isPending: boolean
  onTake: () => void
}

function Option({ id, target, isChosen, isPending, onTake }: OptionProps) {
  const { add } = useWords()
  const { list } = useVideosWords()
  const isNew = target !== null && 'newName' in target
  const Icon = target === null ? IconFolderOff : isNew ? IconPlus : IconFolder
  return (
    // Keys act on the field, which keeps the focus.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      aria-busy={isPending}
      className={classes.target}
      ref={isChosen ? scrollTo : undefined}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
    >
      <Icon size={16} />
      <bdi>
        {target === null
          ? add.noFolder
          : isNew
            ? interpolate(list.create, { name: target.newName })
            : target.name}
      </bdi>
    </div>
  )
}

const scrollTo = (element: HTMLElement | null): void =>
  element?.scrollIntoView({ block: 'nearest' })
