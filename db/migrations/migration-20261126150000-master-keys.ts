import { Migration } from '@mikro-orm/migrations'

/** Which master keys have sealed what this database holds, by fingerprint. */
export class MasterKeys extends Migration {
  override up(): void {
    this.addSql(
      `create table master_key (version int primary key, fingerprint text not null,
       created_at timestamptz not null default now())`,
    )
  }
}
