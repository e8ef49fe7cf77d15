import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { foldersQuery } from '../../api/videos.ts'
import { useWords } from '../../words/words.tsx'
import { useVideosWords } from './words.ts'

/** A folder of the account, none, or a new one by its name. */
export interface ChosenFolder {
  id: number | null
  newName: string | null
}

export const NO_FOLDER: ChosenFolder = { id: null, newName: null }

/** The choice that is no folder's id. */
const NEW = 'new'

interface Props {
  account: string
  chosen: ChosenFolder
  onChoose: (folder: ChosenFolder) => void
  error: ReactNode
  /** What is wrong with the name of the new folder. */
  nameError: ReactNode
}

/** Chooses a folder, or names a new one. */
export function FolderChoice({ account, chosen, onChoose, error, nameError }: Props) {
  const { add } = useWords()
  const { add: words } = useVideosWords()
  const { data: folders = [] } = useQuery(foldersQuery(account))
  const choose = (value: string): void =>
    onChoose({ id: Number(value) || null, newName: value === NEW ? '' : null })
  return (
    <>
      <NativeSelect
        label={add.folder}
        error={error}
        value={chosen.newName === null ? (chosen.id ?? '') : NEW}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="">{add.noFolder}</option>
        {folders.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        <option value={NEW}>{words.newFolder}</option>
      </NativeSelect>
      {chosen.newName !== null && (
        <TextInput
          label={words.newFolderName}
          value={chosen.newName}
          onChange={({ currentTarget }) => onChoose({ id: null, newName: currentTarget.value })}
          error={nameError}
          dir="auto"
          required
        />
      )}
    </>
  )
}
