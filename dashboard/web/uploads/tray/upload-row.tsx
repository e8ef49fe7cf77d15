import { Progress } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { IconAlertTriangle, IconCircleCheck, IconMovie } from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import type { UploadItem } from '../queue/upload-item.ts'
import { useUploadsWords } from '../words.ts'
import { EncodingState } from './encoding-state.tsx'
import { RowActions } from './row-actions.tsx'
import type { RowProps } from './row-props.ts'
import classes from './tray.module.css'
import { shareOf, useStateText } from './use-state-text.ts'

/** One upload: its name, how far it is, and what can be done about it. */
export function UploadRow(props: RowProps) {
  const { account, item, encoding } = props
  const { name, state, videoId } = item
  const [isOther, setOther] = useState(false)
  return (
    <li className={classes.row} data-state={state}>
      <span className={classes.sign}>
        <StateIcon state={state} />
      </span>
      <div className={classes.what}>
        {videoId === null ? (
          <span className={classes.name} title={name}>
            <bdi>{name}</bdi>
          </span>
        ) : (
          <Link
            to="/accounts/$account/videos/$video"
            params={{ account, video: videoId }}
            className={classes.name}
          >
            <bdi>{encoding?.video.title || name}</bdi>
          </Link>
        )}
        {videoId === null ? (
          <UploadState item={item} isOther={isOther} />
        ) : (
          <EncodingState encoding={encoding} />
        )}
      </div>
      <RowActions {...props} onOtherFile={setOther} />
    </li>
  )
}

function UploadState({ item, isOther }: { item: UploadItem<File>; isOther: boolean }) {
  const words = useUploadsWords()
  const { text, otherFile } = useStateText(item)
  const hasBar = item.state === 'uploading' || item.state === 'paused'
  return (
    <>
      {hasBar && (
        <Progress
          size="xs"
          my={4}
          value={shareOf(item) * 100}
          color={item.state === 'paused' || item.delay !== null ? 'gray' : 'pine'}
          aria-label={interpolate(words.progress, { name: item.name })}
        />
      )}
      <span className={classes.state}>{text}</span>
      {isOther && (
        <span className={classes.problem} role="alert">
          {otherFile}
        </span>
      )}
    </>
  )
}

function StateIcon({ state }: Pick<UploadItem, 'state'>) {
  if (state === 'failed') return <IconAlertTriangle size={18} />
  return state === 'done' ? <IconCircleCheck size={18} /> : <IconMovie size={18} />
}
