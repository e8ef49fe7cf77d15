/* oxlint-disable jsx-a11y/prefer-tag-over-role -- HTML has no field with a list of rich options (ARIA APG, combobox). */
import { TextInput, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { videosQuery } from '../api/videos.ts'
import { IconMovie, IconSearch } from '../icons/icons.tsx'
import { useWords } from '../locales/words.tsx'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import type { Action } from '../parts/page-actions.ts'
import { groupsOf, matching } from './palette-results.ts'
import classes from './palette.module.css'
import { noteRecent, recentActions } from './recent-actions.ts'
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
  const groups = groupsOf(matching(actions, text), videos, recentActions.use())
  const found = groups.flatMap((group) => group.actions)
  const current = Math.min(chosen, found.length - 1)
  const run = (action: Action | undefined): void => {
    if (!action) return
    onClose()
    if (actions.includes(action)) noteRecent(action.id)
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
        <SearchText
          listId={id}
          chosenId={found.length > 0 ? `${id}-${current}` : undefined}
          text={text}
          onText={(typed) => {
            setText(typed)
            setChosen(0)
          }}
          onKey={onKey}
        />
        <div id={id} role="listbox" aria-label={words.actions.search} className={classes.list}>
          {groups.map((group) => (
            <Group key={group.name} id={`${id}-${group.name}`} title={texts[group.name]}>
              {group.actions.map((action) => {
                const index = found.indexOf(action)
                return (
                  <Option
                    key={action.id}
                    id={`${id}-${index}`}
                    action={action}
                    isChosen={index === current}
                    onRun={() => run(action)}
                  />
                )
              })}
            </Group>
          ))}
        </div>
        {found.length === 0 && <Nothing />}
        <VisuallyHidden component="output">
          {found.length === 0 ? `${texts.none} ${texts.noneHint}` : ''}
        </VisuallyHidden>
      </Dialog.Content>
    </Dialog.Root>
  )
}

interface SearchTextProps {
  listId: string
  chosenId: string | undefined
  text: string
  onText: (text: string) => void
  onKey: (event: KeyboardEvent) => void
}

/** The field of the search, which keeps the focus while the keys choose from the list. */
function SearchText({ listId, chosenId, text, onText, onKey }: SearchTextProps) {
  const { actions } = useWords()
  return (
    <TextInput
      className={classes.search}
      variant="unstyled"
      size="md"
      leftSection={<IconSearch size={18} />}
      aria-label={actions.search}
      placeholder={actions.search}
      role="combobox"
      aria-expanded
      aria-controls={listId}
      aria-activedescendant={chosenId}
      autoComplete="off"
      dir="auto"
      value={text}
      onChange={({ currentTarget }) => onText(currentTarget.value)}
      onKeyDown={onKey}
      data-autofocus
    />
  )
}

function Group({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <div role="group" aria-labelledby={id} className={classes.group}>
      <div id={id} className={classes.groupTitle}>
        {title}
      </div>
      {children}
    </div>
  )
}

/** Says what can be typed. */
function Nothing() {
  const { palette: texts } = useShellWords()
  return (
    <div className={classes.none}>
      <strong>{texts.none}</strong>
      <p>{texts.noneHint}</p>
    </div>
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
