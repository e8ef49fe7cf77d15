import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo } from 'react'
import { meQuery, useMayEdit } from '../api/me.ts'
import { browserStorage } from './browser-storage.ts'
import { accountsWithUploads } from './offered-files.ts'
import { hasRemembered } from './queue/remembered-uploads.ts'

const UploadTray = lazy(async () => ({
  default: (await import('./tray/upload-tray.tsx')).UploadTray,
}))

/** The tray of uploads, which is loaded when the member uploads something, or has left an upload unfinished. */
export function Uploads({ account }: { account: string }) {
  const { data: me } = useQuery(meQuery(account))
  const mayEdit = useMayEdit(account)
  const isUsed = accountsWithUploads.use().includes(account)
  const memberId = me?.id
  const hasUnfinished = useMemo(
    () => memberId !== undefined && hasRemembered(browserStorage(), account, memberId),
    [account, memberId],
  )
  if (memberId === undefined || !mayEdit || !(isUsed || hasUnfinished)) return null
  return (
    <Suspense>
      <UploadTray key={account} account={account} memberId={memberId} />
    </Suspense>
  )
}
