import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { foldersQuery } from '../../../api/videos.ts'
import { useWords } from '../../../locales/words.tsx'

interface Props extends NativeSelectProps {
  account: string
}

/** Chooses a folder by its id, or none by an empty text. `children` are further options. */
export function FolderSelect({ account, children, ...select }: Props) {
  const { add } = useWords()
  const { data: folders = [] } = useQuery(foldersQuery(account))
  return (
    <NativeSelect {...select}>
      <option value="">{add.noFolder}</option>
      {folders.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      {children}
    </NativeSelect>
  )
}
