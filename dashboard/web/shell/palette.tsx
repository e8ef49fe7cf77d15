/* oxlint-disable jsx-a11y/prefer-tag-over-role -- HTML has no field with a list of rich options (ARIA APG, combobox). */
import { TextInput, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState, type KeyboardEvent } from 'react'
import { videosQuery } from '../api/videos.ts'
import { IconMovie, IconSearch } from '../icons/icons.tsx'
import { useWords } from '../locales/words.tsx'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import type { Action } from '../parts/page-actions.ts'
import classes from './palette.module.css'
import { useShellWords } from './words.ts'

const SEARCH_DELAY_MS = 200
const SEARCH_MIN_LENGTH = 2
const VIDEOS_MAX = 5

interface Props {
  account: string
  actions: readonly Action[]
  onClose: () => void
}

/** Finds actions and videos by words; arrows choose, Enter runs. */
export function Palette({ account, actions, onClose }: Props) {
  const words = useWords()
  const { palette: texts } = useShellWords()
  const id = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const videos = useVideos(account, text)
  const found = [...matching(actions, text), ...videos]
  const current = Math.min(chosen, found.length - 1)
  const run = (action: Action | undefined): void => {
    if (!action) return
    onClose()
    action.run()
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 && event.key !== 'Enter') return
    event.preventDefault()
    if (step === 0) run(found[current])
    else setChosen((current + step + found.length) % Math.max(found.length, 1))
  }
  return (
    <Dialog.Root opened onClose={onClose} yOffset="12vh">
      <Dialog.Overlay />
      <Dialog.Content aria-label={words.actions.search}>
        <TextInput
          className={classes.search}
          variant="unstyled"
          size="md"
          leftSection={<IconSearch size={18} />}
          aria-label={words.actions.search}
          placeholder={words.actions.search}
          role="combobox"
          aria-expanded
          aria-controls={id}
          aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
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
        <div id={id} role="listbox" aria-label={words.actions.search} className={classes.list}>
          {found.map((action, index) => (
            <Option
              key={action.id}
              id={`${id}-${index}`}
              action={action}
              isChosen={index === current}
              onRun={() => run(action)}
            />
          ))}
        </div>
        {found.length === 0 && <p className={classes.none}>{texts.none}</p>}
        <VisuallyHidden component="output">{found.length === 0 ? texts.none : ''}</VisuallyHidden>
      </Dialog.Content>
    </Dialog.Root>
  )
}

interface OptionProps {
  id: string
  action: Action
  isChosen: boolean
  onRun: () => void
}

function Option({ id, action: { label, icon, key }, isChosen, onRun }: OptionProps) {
  return (
    // Keys act on the field, which keeps the focus.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className={classes.option}
      ref={isChosen ? scrollTo : undefined}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onRun}
    >
      {icon}
      <span className={classes.label}>
        <bdi>{label}</bdi>
      </span>
      {key !== undefined && <kbd>{key}</kbd>}
    </div>
  )
}

const scrollTo = (element: HTMLElement | null): void =>
  element?.scrollIntoView({ block: 'nearest' })

/** The actions whose label contains every word of the text. */
function matching(actions: readonly Action[], text: string): Action[] {
  const parts = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return actions.filter(({ label }) => {
    const name = label.toLocaleLowerCase()
    return parts.every((part) => name.includes(part))
  })
}

/** The newest videos whose title contains the text, as actions that open them. */
function useVideos(account: string, text: string): Action[] {
  const words = useWords()
  const navigate = useNavigate()
  const [q] = useDebouncedValue(text.trim(), SEARCH_DELAY_MS)
  const { data } = useQuery({
    ...videosQuery(account, { q }),
    enabled: q.length >= SEARCH_MIN_LENGTH,
    refetchInterval: false,
  })
  if (text.trim().length < SEARCH_MIN_LENGTH || !data) return []
  return data.data.slice(0, VIDEOS_MAX).map(({ id, title }) => ({
    id: `video-${id}`,
    label: title.trim() || words.videos.untitled,
    icon: <IconMovie size={18} stroke={1.75} />,
    run: () =>
      void navigate({ to: '/accounts/$account/videos/$video', params: { account, video: id } }),
  }))
}
