import { Migration } from '@mikro-orm/migrations'

/** Marks the members who run the installation, and the invitations that make one. */
export class Operators extends Migration {
  override up(): void {
    this.addSql('alter table member add column is_operator boolean not null default false')
    // Members can invite members, but never an operator.
    this.addSql(
      `alter table invitation add column grants_operator boolean not null default false,
       add constraint invitation_grants_operator_check check (is_from_operator or not grants_operator)`,
    )
  }
}
