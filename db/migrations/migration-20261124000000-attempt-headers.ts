import { Migration } from '@mikro-orm/migrations'

/** Adds the headers of a receiver's answer that help to find the cause of a failure. */
export class AttemptHeaders extends Migration {
  override up(): void {
    // The default is for attempts of before; it is kept in the catalog, so no row is rewritten.
    this.addSql(
      `alter table webhook_attempt add column response_headers jsonb not null default '{}'`,
    )
  }
}
