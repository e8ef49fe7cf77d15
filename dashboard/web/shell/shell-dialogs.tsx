import { lazy, Suspense } from 'react'
import { useOpenConfirmation } from '../api/elevation.ts'
import { useOpenLeaving } from '../parts/forms/unsaved-changes.ts'
import { openList, useShortcuts } from './shortcuts.ts'
import { useActions } from './use-actions.tsx'

const ConfirmIdentity = lazy(async () => ({
  default: (await import('./confirm-identity.tsx')).ConfirmIdentity,
}))
const LeaveDialog = lazy(async () => ({
  default: (await import('./leave-dialog.tsx')).LeaveDialog,
}))
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const ShortcutHelp = lazy(async () => ({
  default: (await import('./shortcut-help.tsx')).ShortcutHelp,
}))

/** The dialogs that every page can open, each loaded with its first use. */
export function ShellDialogs({ account }: { account: string }) {
  const confirmation = useOpenConfirmation()
  const leaving = useOpenLeaving()
  const list = openList.use()
  const actions = useActions(account)
  useShortcuts(actions)
  const close = (): void => openList.set(null)
  return (
    <Suspense>
      {list === 'palette' && <Palette account={account} actions={actions} onClose={close} />}
      {list === 'help' && <ShortcutHelp actions={actions} onClose={close} />}
      {confirmation && (
        <ConfirmIdentity account={confirmation.about} onResponse={confirmation.respond} />
      )}
      {leaving && <LeaveDialog loss={leaving.about} onResponse={leaving.respond} />}
    </Suspense>
  )
}
