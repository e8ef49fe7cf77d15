import { Button, Text } from '@mantine/core'
import { useId, useRef, useState, type DragEvent } from 'react'
import { VIDEO_TYPES } from '../../../../../domain/uploads/video-names.ts'
import { IconFolder, IconUpload } from '../../../icons/icons.tsx'
import { droppedFiles, hasFiles, inputFiles } from '../../../uploads/queue/dropped-files.ts'
import type { ChosenFile } from '../../../uploads/queue/upload-item.ts'
import { useVideosWords } from '../words.ts'
import classes from './add-video.module.css'

interface Props {
  onFiles: (files: readonly ChosenFile<File>[]) => void
}

/** Takes files and folders by drag and drop, by click and by keyboard. Phones offer their camera and its videos. */
export function ChooseFiles({ onFiles }: Props) {
  const { add: words } = useVideosWords()
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const hintId = useId()
  const { isOver, handlers } = useDropZone(onFiles)
  const input = {
    type: 'file',
    multiple: true,
    hidden: true,
    onChange({ currentTarget }: { currentTarget: HTMLInputElement }) {
      const chosen = inputFiles(currentTarget.files ?? [], null)
      // The same files again are a change too.
      currentTarget.value = ''
      if (chosen.length > 0) onFiles(chosen)
    },
  }
  return (
    <div className={classes.drop} data-over={isOver} {...handlers}>
      <div className={classes.buttons}>
        <Button
          leftSection={<IconUpload size={16} />}
          aria-describedby={hintId}
          onClick={() => files.current?.click()}
          data-autofocus
        >
          {words.chooseFiles}
        </Button>
        <Button
          className={classes.forPointers}
          variant="default"
          leftSection={<IconFolder size={16} />}
          onClick={() => folder.current?.click()}
        >
          {words.chooseFolder}
        </Button>
      </div>
      <Text className={classes.forPointers} size="sm" c="dimmed" id={hintId}>
        {words.dropHint}
      </Text>
      <input {...input} ref={files} accept={VIDEO_TYPES} data-files />
      <input {...input} ref={folder} {...{ webkitdirectory: '' }} />
    </div>
  )
}

/** The handlers of what takes files in place of the page around it. */
function useDropZone(onFiles: Props['onFiles']) {
  const [isOver, setOver] = useState(false)
  return {
    isOver,
    handlers: {
      onDragOver(event: DragEvent) {
        if (!hasFiles(event.dataTransfer)) return
        event.preventDefault()
        event.stopPropagation()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop(event: DragEvent) {
        if (!hasFiles(event.dataTransfer)) return
        event.preventDefault()
        event.stopPropagation()
        setOver(false)
        void droppedFiles(event.dataTransfer, null).then(onFiles)
      },
    },
  }
}
