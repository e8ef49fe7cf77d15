import { Progress, VisuallyHidden } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { uploadsOf, type AccountUploads, type RefusedFile } from '../account-uploads.ts'
import { offeredFiles, takeOffers } from '../offered-files.ts'
import { isUnderWay, type UploadItem } from '../queue/upload-item.ts'
import { useUploadsWords } from '../words.ts'
import { RefusedRow } from './refused-row.tsx'
import { TrayHead } from './tray-head.tsx'
import classes from './tray.module.css'
import { UploadRow } from './upload-row.tsx'
import { useEncoding } from './use-encoding.ts'
import { useSaid } from './use-said.ts'
import { shareOfAll } from './use-state-text.ts'

interface Props {
  account: string
  memberId: number
}

/** The uploads of the member, below all pages, with what can be done about each. */
export function UploadTray({ account, memberId }: Props) {
  const client = useQueryClient()
  const [uploads] = useState(() => uploadsOf({ account, memberId }, client))
  const offers = offeredFiles.use()
  const items = uploads.items.use()
  const refused = uploads.refused.use()
  const shown = items.filter(({ state }) => state !== 'cancelled')
  const said = useSaid(shown)
  useEffect(() => {
    if (offers.length > 0) void uploads.add(takeOffers(account))
  }, [offers, uploads, account])
  return (
    <>
      {(shown.length > 0 || refused.length > 0) && (
        <Tray account={account} uploads={uploads} shown={shown} refused={refused} />
      )}
      <VisuallyHidden component="output" aria-live="polite">
        {said}
      </VisuallyHidden>
    </>
  )
}

interface TrayProps {
  account: string
  uploads: AccountUploads
  shown: readonly UploadItem<File>[]
  refused: readonly RefusedFile[]
}

function Tray({ account, uploads, shown, refused }: TrayProps) {
  const words = useUploadsWords()
  const [isOpen, setOpen] = useState(true)
  const tray = useRef<HTMLElement>(null)
  const encoding = useEncoding(account, shown)
  const { queue, refused: refusals } = uploads
  const close = (): void => {
    queue.dismiss(shown.map(({ key }) => key))
    refusals.set([])
    document.querySelector<HTMLElement>('#main')?.focus()
  }
  // What had the focus goes with its row.
  const keepFocus = (): void => {
    const isLast = shown.length + refused.length <= 1
    const next = isLast ? document.querySelector('#main') : tray.current?.querySelector('button')
    if (next instanceof HTMLElement) next.focus()
  }
  return (
    <section ref={tray} className={classes.tray} aria-label={words.title} data-uploads>
      <TrayHead shown={shown} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} onClose={close} />
      <TotalBar shown={shown} />
      {isOpen && (
        <ul className={classes.rows}>
          {refused.map((one) => (
            <RefusedRow
              key={one.key}
              file={one}
              onDismiss={() => {
                keepFocus()
                refusals.set(refused.filter(({ key }) => key !== one.key))
              }}
            />
          ))}
          {shown.map((item) => (
            <UploadRow
              key={item.key}
              account={account}
              item={item}
              queue={queue}
              encoding={item.videoId === null ? undefined : encoding.get(item.videoId)}
              onGone={keepFocus}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

/** How far all uploads are that can still arrive. */
function TotalBar({ shown }: Pick<TrayProps, 'shown'>) {
  const words = useUploadsWords()
  if (!shown.some(isUnderWay)) return null
  const value = shareOfAll(shown) * 100
  return <Progress size="xs" radius={0} value={value} aria-label={words.total} />
}
