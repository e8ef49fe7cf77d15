import { step, StepMigration } from '../schema/step-migration.ts'

/**
 * Adds a row for each month that is over, which says what the rows of its days say (ADR 0065). `close-months` makes them, those of the past
 * included; until then months are read by their days.
 */
export class AudienceMonths extends StepMigration {
  override steps() {
    return [
      step(
        'months of the audience',
        `create table audience_month (account_id int not null references account (id), video_id text not null,
          month date not null, sketch bytea null, peak_sessions int not null, breakdown jsonb not null,
          primary key (account_id, video_id, month))`,
        'create index audience_month_month on audience_month using brin (month)',
      ),
      step(
        'closed months of accounts',
        'alter table account add column audience_closed_before date null',
      ),
    ]
  }
}
