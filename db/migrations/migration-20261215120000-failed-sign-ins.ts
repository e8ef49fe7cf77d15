import { Migration } from '@mikro-orm/migrations'

/** Adds how often a wrong password was entered for the address of a member. One row for each member. */
export class FailedSignIns extends Migration {
  override up(): void {
    this.addSql(`create table failed_sign_in (
      member_id bigint primary key references member (id) on delete cascade,
      count int not null default 1, since timestamptz not null default now())`)
    this.addSql('create index failed_sign_in_since on failed_sign_in (since)')
  }
}
