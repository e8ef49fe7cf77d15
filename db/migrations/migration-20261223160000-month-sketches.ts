import { step, StepMigration } from '../schema/step-migration.ts'

/**
 * Adds a sketch of the viewers of each month beside those of its days (ADR 0065). There is nothing to fill: a month without one is
 * read by its days, and gets one with its next first play.
 */
export class MonthSketches extends StepMigration {
  override steps() {
    return [
      step(
        'sketches of months',
        `create table audience_month_sketch (account_id int not null references account (id), video_id text not null,
          month date not null, sketch bytea not null, primary key (account_id, video_id, month))`,
        'create index audience_month_sketch_month on audience_month_sketch using brin (month)',
      ),
    ]
  }
}
