import { Migration } from '@mikro-orm/migrations'

/** Adds the fingerprints of the master keys that have sealed values of this database. */
export class MasterKeys extends Migration {
  override up(): void {
    this.addSql(
      `create table master_key (version int primary key, fingerprint text not null,
       created_at timestamptz not null default now())`,
    )
  }
}
