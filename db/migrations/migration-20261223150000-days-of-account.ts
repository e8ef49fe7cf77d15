import { indexStep, StepMigration } from '../schema/step-migration.ts'

/** Adds an index for the running totals of all videos of an account on one day, by which the most watched ones are found. */
export class DaysOfAccount extends StepMigration {
  override steps() {
    return [indexStep('audience_day_account', 'audience_day (account_id, day)')]
  }
}
