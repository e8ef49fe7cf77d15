import { Migration } from '@mikro-orm/migrations'

/** Adds the passkey that a session was last confirmed with, which a new password keeps. */
export class SessionPasskey extends Migration {
  override up(): void {
    this.addSql('alter table dashboard_session add column passkey_id text null')
  }
}
