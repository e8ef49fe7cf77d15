import { Migration } from '@mikro-orm/migrations'

/** Adds an index that finds the recent refusals by domain of an account without reading its other events. */
export class DomainRefusals extends Migration {
  override up(): void {
    this.addSql(
      `create index security_event_domain_refused on security_event (account_id, created_at)
       where event_type = 'domain_refused'`,
    )
  }
}
