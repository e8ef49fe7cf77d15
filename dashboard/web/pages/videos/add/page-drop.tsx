import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { foldersQuery } from '../../../api/videos.ts'
import { IconUpload } from '../../../icons/icons.tsx'
import { interpolate } from '../../../locales/interpolate.ts'
import { offerFiles } from '../../../uploads/offered-files.ts'
import { droppedFiles, hasFiles } from '../../../uploads/queue/dropped-files.ts'
import { useVideosWords } from '../words.ts'
import classes from './page-drop.module.css'

const route = getRouteApi('/accounts/$account/videos')

/** Takes files and folders that are dropped anywhere on the page, into the folder that it shows. */
export function PageDrop({ account }: { account: string }) {
  const { drop: words } = useVideosWords()
  const { folder } = route.useSearch()
  const { data: folders } = useQuery(foldersQuery(account))
  const folderId = typeof folder === 'number' ? folder : null
  const isOver = useWindowDrop((data) => {
    void droppedFiles(data, folderId).then((files) => offerFiles(account, files))
  })
  if (!isOver) return null
  const name = folders?.find(({ id }) => id === folderId)?.name
  return (
    <div className={classes.cover} aria-hidden>
      <div className={classes.card}>
        <IconUpload size={28} />
        <strong>
          {name === undefined ? words.title : interpolate(words.into, { folder: name })}
        </strong>
        <span>{words.hint}</span>
      </div>
    </div>
  )
}

/** True while files are held over the window; `take` gets those that are dropped. */
function useWindowDrop(take: (data: DataTransfer) => void): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer || !hasFiles(event.dataTransfer)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setOver(true)
    }
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent): void => {
      setOver(false)
      if (!event.dataTransfer || !hasFiles(event.dataTransfer)) return
      event.preventDefault()
      take(event.dataTransfer)
    }
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  })
  return isOver
}
