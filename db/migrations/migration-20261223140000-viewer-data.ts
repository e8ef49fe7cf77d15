import { indexStep, step, StepMigration } from '../schema/step-migration.ts'

const SETTING =
  '{"viewer_data": {"totals_only": false, "sessions_kept_days": null, "progress_kept_days": null}}'

/**
 * Adds the settings for what is kept of viewers: the accounts so far keep everything as long as the installation does. An erasure
 * without a viewer is one of all viewers of its account. Accounts purge at times of their own, so the indexes of the purge begin with
 * the account.
 */
export class ViewerData extends StepMigration {
  override steps() {
    return [
      step('settings of viewer data', `update account set settings = '${SETTING}' || settings`),
      step(
        'erasures of all viewers',
        `alter table viewer_erasure alter column viewer_id drop not null,
           drop constraint viewer_erasure_account_id_viewer_id_key,
           add unique nulls not distinct (account_id, viewer_id)`,
      ),
      ...['viewer', 'viewer_progress'].flatMap((table) => [
        indexStep(`${table}_account_last_seen`, `${table} (account_id, last_seen_at)`),
        step(`index ${table}_last_seen is of no use`, `drop index ${table}_last_seen`),
      ]),
    ]
  }
}
