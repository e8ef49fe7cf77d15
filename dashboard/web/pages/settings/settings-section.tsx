import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, type FormEvent, type ReactNode } from 'react'
import type { CallerScope } from '../../../../domain/accounts/roles.ts'
import { meQuery, useMay } from '../../api/me.ts'
import { settingsQuery, type OpenedSettings } from '../../api/settings.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { SaveBar } from './save-bar.tsx'
import { SettingFacts } from './setting-values.tsx'
import { useSettingsEditing, type SettingsEditing } from './settings-editing.ts'
import classes from './settings.module.css'

// Few saves are asked about, and few meet another one.
const SettingsConflict = lazy(async () => ({
  default: (await import('./settings-conflict.tsx')).SettingsConflict,
}))
const RefusedPlaysDialog = lazy(async () => ({
  default: (await import('./refused-plays-dialog.tsx')).RefusedPlaysDialog,
}))

interface Props {
  account: string
  /** Of the page, as its tab says. */
  title: string
  /** The settings of the page, for those who may only read them. */
  names: readonly string[]
  /** What a member must be allowed to do to change them; by default to change settings. */
  scope?: CallerScope
  fields: (editing: SettingsEditing) => ReactNode
  /** Beside the form, below it on a narrow screen. */
  beside?: (editing: SettingsEditing) => ReactNode
  /** Below the form or the values. */
  below?: ReactNode
}

/** A page of settings: a form for those who may save, and values for readers. */
export const SettingsSection = ({ title, ...page }: Props) => (
  <>
    <PageHeader isHidden title={title} />
    <Settings {...page} />
  </>
)

function Settings(props: Omit<Props, 'title'>) {
  const { account, names, scope = 'settings:write', below } = props
  const { data, error, refetch } = useQuery(settingsQuery(account))
  const { data: me } = useQuery(meQuery(account))
  const mayEdit = useMay(account, scope)
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data || !me) return <Skeleton height={360} />
  if (!mayEdit)
    return (
      <div className={`${classes.column} ${classes.stack}`}>
        <SettingFacts names={names} settings={data.settings} />
        {below}
      </div>
    )
  return <SettingsForm {...props} latest={data} />
}

function SettingsForm({
  account,
  fields,
  beside,
  below,
  latest,
}: Omit<Props, 'title' | 'names' | 'scope'> & { latest: OpenedSettings }) {
  const editing = useSettingsEditing(account, latest)
  const { conflict, decide, refused, save, keepRules } = editing
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save(false)
  }
  return (
    <div className={beside ? classes.columns : classes.column}>
      <div className={classes.stack}>
        <form onSubmit={submit} className={classes.form} noValidate>
          <Suspense>
            {conflict && <SettingsConflict conflict={conflict} decide={decide} />}
          </Suspense>
          {fields(editing)}
          <SaveBar editing={editing} />
        </form>
        {below}
      </div>
      {beside?.(editing)}
      <Suspense>
        {refused && (
          <RefusedPlaysDialog refused={refused} onSave={() => save(true)} onClose={keepRules} />
        )}
      </Suspense>
    </div>
  )
}
