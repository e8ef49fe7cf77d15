import { Migration } from '@mikro-orm/migrations'

/** Adds the headers of a receiver's response that help to find the cause of a failure. */
export class AttemptHeaders extends Migration {
  override up(): void {
    // The default is for existing attempts. PostgreSQL keeps it in the catalog and rewrites no row.
    this.addSql(
      `alter table webhook_attempt add column response_headers jsonb not null default '{}'`,
    )
  }
}
