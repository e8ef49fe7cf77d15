import { Migration } from '@mikro-orm/migrations'

/** Lets members choose the poster of a video. */
export class ChosenPosters extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const STATEMENTS = [
  `alter table video add column poster_name text not null default 'poster',
    add column poster_version int not null default 0,
    add column frame_count int not null default 0`,
]
