import { indexStep, step, StepMigration } from '../schema/step-migration.ts'

/**
 * Adds what integrators keep with a video and with an upload (ADR 0071). Constant defaults rewrite no table. The version of a
 * video counts changes of them, as its object shows them.
 */
export class OwnData extends StepMigration {
  override steps() {
    return [
      step(
        'own data of videos and uploads',
        ...['video', 'upload'].map(
          (table) => `alter table ${table} add column external_id text null,
            add column tags text[] not null default '{}', add column metadata jsonb not null default '{}'`,
        ),
      ),
      step(
        'versions of own data',
        `create trigger count_version_of_own_data before update of external_id, tags, metadata on video for each row
          when (row(old.external_id, old.tags, old.metadata) is distinct from row(new.external_id, new.tags, new.metadata))
          execute function count_version()`,
      ),
      indexStep(
        'video_external_id',
        'video (account_id, external_id) where external_id is not null and deleted_at is null',
        'unique',
      ),
      indexStep(
        'upload_external_id',
        `upload (account_id, external_id) where external_id is not null and status in ('waiting', 'uploading')`,
        'unique',
      ),
    ]
  }
}
