import { lazy, Suspense } from 'react'
import { useOpenConfirmation } from '../api/elevation.ts'
import { useOpenLeaving } from '../parts/unsaved-changes.ts'

const ConfirmIdentity = lazy(async () => ({
  default: (await import('./confirm-identity.tsx')).ConfirmIdentity,
}))
const LeaveDialog = lazy(async () => ({
  default: (await import('./leave-dialog.tsx')).LeaveDialog,
}))

/** The dialogs that every page can open, each loaded with its first use. */
export function ShellDialogs() {
  const confirmation = useOpenConfirmation()
  const leaving = useOpenLeaving()
  return (
    <Suspense>
      {confirmation && (
        <ConfirmIdentity account={confirmation.about} onAnswer={confirmation.answer} />
      )}
      {leaving && <LeaveDialog onAnswer={leaving.answer} />}
    </Suspense>
  )
}
