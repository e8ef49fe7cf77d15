import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  isViewerTokenEnforced,
  withChange,
  type PlayerSettings,
  type SettingsChange,
} from '../../../../domain/settings/player-settings.ts'
import {
  changeTo,
  differentSettings,
  mergeSettings,
} from '../../../../domain/settings/settings-merge.ts'
import {
  countPlaysWithoutToken,
  newlyRefusedHosts,
  saveSettings,
  settingsQuery,
  type OpenedSettings,
  type RefusedHost,
} from '../../api/settings.ts'
import type { SaveOutcome } from '../../api/stale.ts'
import type { Side } from '../../parts/forms/two-edits.ts'
import { useSettingsDraft, type SettingsDraft } from './settings-draft.ts'
import { settingOfProblem, tidied } from './settings-rules.ts'

/** What two editors have done to the same settings. */
export interface Conflict extends Record<Side, PlayerSettings> {
  /** The settings that both have changed to different values. */
  names: string[]
  /** The settings that only the other editor has changed. */
  taken: string[]
  /** Which value counts, by the name of the setting; complete before the next save. */
  decided: ReadonlyMap<string, Side>
}

/** A form of settings, from the first change to the saved one. */
export interface SettingsEditing {
  form: SettingsDraft['form']
  isDirty: boolean
  isSaving: boolean
  isSaved: boolean
  /** Why the last save failed, unless a field says it; null if it did not. */
  error: unknown
  conflict: Conflict | null
  decide: (name: string, side: Side) => void
  /** What the change would refuse or erase; null unless the last save stopped there. */
  refused: RefusedPlays | null
  /** Saves; `isSure` without asking about refused plays. */
  save: (isSure: boolean) => void
  /** Closes the question about refused plays. */
  keepRules: () => void
  discard: () => void
}

interface Save {
  isSure: boolean
  from: OpenedSettings
  sent: PlayerSettings
}

/** What a change would refuse or erase. */
export interface RefusedPlays {
  hosts: RefusedHost[]
  /** Plays without a valid token, if the change requires one. */
  withoutToken: number
  /** The change erases what is kept of each viewer. */
  erasesViewers: boolean
}

type Outcome = SaveOutcome<OpenedSettings> | ({ kind: 'refused' } & RefusedPlays)

/** Settings that decide which sites may embed. */
const RULES: readonly string[] = ['allowed_domains', 'blocked_domains', 'direct_play']

/** What of the last day the save would refuse, and whether it erases viewers; null for nothing. */
async function refusedBy(
  account: string,
  { from, sent }: Save,
  change: SettingsChange,
): Promise<RefusedPlays | null> {
  const changesRules = Object.keys(change).some((name) => RULES.includes(name))
  const requiresToken = isViewerTokenEnforced(sent) && !isViewerTokenEnforced(from.settings)
  const [hosts, withoutToken] = await Promise.all([
    changesRules ? newlyRefusedHosts(account, change) : [],
    requiresToken ? countPlaysWithoutToken(account) : 0,
  ])
  const erasesViewers = change.viewer_data?.totals_only === true
  const isHarmless = hosts.length === 0 && withoutToken === 0 && !erasesViewers
  return isHarmless ? null : { hosts, withoutToken, erasesViewers }
}

/** Sends what differs. Stops before that if plays of the last day would be refused, or viewers erased, unless `isSure`. */
async function send(account: string, save: Save): Promise<Outcome> {
  const { isSure, from, sent } = save
  const change = changeTo(sent, differentSettings(from.settings, sent))
  const refused = isSure ? null : await refusedBy(account, save, change)
  if (refused) return { kind: 'refused', ...refused }
  return saveSettings(account, from.version, change)
}

/**
 * Edits settings that were read as `latest`. Only changes are sent. What was typed stays whatever the
 * response: after a save by another member, both edits are combined and the contradictions named.
 */
export function useSettingsEditing(account: string, latest: OpenedSettings): SettingsEditing {
  const draft = useSettingsDraft(latest)
  const { form, opened, values, isDirty } = draft
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const saving = useSaving(account, draft, setConflict)
  const { data: outcome, error } = saving
  return {
    form,
    isDirty,
    isSaving: saving.isPending,
    isSaved: outcome !== undefined && outcome.kind !== 'refused' && conflict === null && !isDirty,
    error: settingOfProblem(error) === null ? error : null,
    conflict,
    decide(name, side) {
      if (!conflict) return
      const decided = new Map(conflict.decided).set(name, side)
      const { mine, theirs, names, taken } = conflict
      setConflict({ mine, theirs, names, taken, decided })
      form.setValues(withChange(form.getValues(), changeTo(conflict[side], [name])))
    },
    refused: outcome?.kind === 'refused' ? outcome : null,
    save(isSure) {
      if (!form.validate().hasErrors) saving.mutate({ isSure, from: opened, sent: values })
    },
    keepRules: saving.reset,
    discard() {
      draft.restart(opened, opened.settings)
      form.clearErrors()
      setConflict(null)
      saving.reset()
    },
  }
}

function useSaving(
  account: string,
  { form, restart }: SettingsDraft,
  setConflict: (conflict: Conflict | null) => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (save: Save) => send(account, save),
    onSuccess(outcome, { from, sent }) {
      if (outcome.kind === 'refused') return
      const { current } = outcome
      const isStale = outcome.kind === 'stale'
      // The person may have typed on while the save was under way.
      const mine = tidied(form.getValues())
      const theirs = current.settings
      const merge = mergeSettings({ opened: isStale ? from.settings : sent, mine, theirs })
      const { merged, conflicts: names, taken } = merge
      restart(current, merged)
      // Without a difference, this save was made before, and its response was lost.
      const isConflict = isStale && differentSettings(mine, theirs).length > 0
      setConflict(isConflict ? { mine, theirs, names, taken, decided: new Map() } : null)
      client.setQueryData(settingsQuery(account).queryKey, current)
    },
    onError(error) {
      const name = settingOfProblem(error)
      if (name !== null) form.setFieldError(name, error.message)
    },
  })
}
