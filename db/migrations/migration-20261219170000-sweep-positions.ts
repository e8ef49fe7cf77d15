import { Migration } from '@mikro-orm/migrations'

/** Remembers where the sweep of each kind of work continues, when one run has not looked at all rows. */
export class SweepPositions extends Migration {
  override up(): void {
    this.addSql('create table sweep_position (kind text primary key, after text not null)')
  }
}
