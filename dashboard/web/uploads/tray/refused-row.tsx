import { ActionIcon } from '@mantine/core'
import { SOURCE_MAX_BYTES } from '../../../../domain/limits.ts'
import { IconAlertTriangle, IconX } from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import { useFormats } from '../../parts/text/formats.ts'
import type { RefusedFile } from '../account-uploads.ts'
import { useUploadsWords } from '../words.ts'
import classes from './tray.module.css'

interface Props {
  file: RefusedFile
  onDismiss: () => void
}

/** A file that is not sent, and why. */
export function RefusedRow({ file: { name, reason, roomBytes }, onDismiss }: Props) {
  const { refusals, actions } = useUploadsWords()
  const { bytes } = useFormats()
  const values = { max: bytes(SOURCE_MAX_BYTES), room: bytes(roomBytes) }
  const label = interpolate(actions.dismiss, { name })
  return (
    <li className={classes.row} data-state="refused">
      <span className={classes.sign}>
        <IconAlertTriangle size={18} />
      </span>
      <div className={classes.what}>
        <span className={classes.name} title={name}>
          <bdi>{name}</bdi>
        </span>
        <span className={classes.state} role="alert">
          {interpolate(refusals[reason], values)}
        </span>
      </div>
      <div className={classes.actions}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="md"
          aria-label={label}
          title={label}
          onClick={onDismiss}
        >
          <IconX size={16} />
        </ActionIcon>
      </div>
    </li>
  )
}
