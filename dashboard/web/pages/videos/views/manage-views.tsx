import { ActionIcon, Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { SAVED_VIEW_NAME_MAX_LENGTH } from '../../../../../domain/limits.ts'
import { problemOf } from '../../../api/problem.ts'
import type { VideosMatch } from '../../../api/video-search/filter.ts'
import {
  isShown,
  savedViewsQuery,
  toSavedSearch,
  type SavedView,
} from '../../../api/video-search/saved-views.ts'
import { IconBookmark, IconTrash } from '../../../icons/icons.tsx'
import { interpolate } from '../../../locales/interpolate.ts'
import { Dialog } from '../../../parts/dialogs/dialog.tsx'
import { useVideosWords } from '../words.ts'
import { useChangeView, useDeleteView } from './view-changes.ts'
import classes from './views.module.css'

interface Props {
  account: string
  /** What a view can be changed to. */
  match: VideosMatch
  onClose: () => void
}

/** The dialog that renames, replaces and deletes saved views. */
export function ManageViews({ account, match, onClose }: Props) {
  const { views: words } = useVideosWords()
  const { data: views = [] } = useQuery(savedViewsQuery(account))
  return (
    <Dialog opened onClose={onClose} title={words.title}>
      {views.length === 0 && words.none}
      <ul className={classes.views} aria-label={words.title}>
        {views.map((view) => (
          <ViewRow key={view.id} account={account} view={view} match={match} />
        ))}
      </ul>
    </Dialog>
  )
}

function ViewRow({ account, view, match }: Omit<Props, 'onClose'> & { view: SavedView }) {
  const { views: words, details } = useVideosWords()
  const [name, setName] = useState(view.name)
  const change = useChangeView(account, view)
  const remove = useDeleteView(account, view)
  const error = change.error ?? remove.error
  const isRenamed = name.trim() !== '' && name.trim() !== view.name
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isRenamed) change.mutate({ name: name.trim() })
  }
  return (
    <li>
      <form onSubmit={submit} className={classes.view}>
        <TextInput
          className={classes.name}
          aria-label={interpolate(words.rename, { name: view.name })}
          value={name}
          maxLength={SAVED_VIEW_NAME_MAX_LENGTH}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={error && problemOf(error).message}
          required
          dir="auto"
        />
        {isRenamed && (
          <Button type="submit" loading={change.isPending}>
            {details.save}
          </Button>
        )}
        {!isShown(view, match) && (
          <Change
            label={interpolate(words.overwrite, { name: view.name })}
            icon={IconBookmark}
            isPending={change.isPending}
            onClick={() => change.mutate({ search: toSavedSearch(match) })}
          />
        )}
        <Change
          label={interpolate(words.remove, { name: view.name })}
          icon={IconTrash}
          isPending={remove.isPending}
          onClick={() => remove.mutate()}
        />
      </form>
    </li>
  )
}

interface ChangeProps {
  label: string
  icon: typeof IconTrash
  isPending: boolean
  onClick: () => void
}

const Change = ({ label, icon: Icon, isPending, onClick }: ChangeProps) => (
  <ActionIcon
    variant="default"
    size={36}
    aria-label={label}
    title={label}
    loading={isPending}
    onClick={onClick}
  >
    <Icon size={16} />
  </ActionIcon>
)
