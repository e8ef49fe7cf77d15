import { Migration } from '@mikro-orm/migrations'

/** Adds what members keep of the list of videos: filters and order under a name. They go with the membership. */
export class SavedViews extends Migration {
  override up(): void {
    this.addSql(
      `create table saved_view (id bigserial primary key, account_id int not null, member_id bigint not null,
        name text not null, search jsonb not null, created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(), unique (account_id, member_id, name),
        foreign key (account_id, member_id) references membership on delete cascade)`,
    )
  }
}
