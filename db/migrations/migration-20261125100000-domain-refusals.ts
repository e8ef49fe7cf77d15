import { Migration } from '@mikro-orm/migrations'

/** Finds the few refusals by domain that an account was told of lately, without reading the others. */
export class DomainRefusals extends Migration {
  override up(): void {
    this.addSql(
      `create index security_event_domain_refused on security_event (account_id, created_at)
       where event_type = 'domain_refused'`,
    )
  }
}
