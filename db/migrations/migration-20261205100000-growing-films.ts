import { Migration } from '@mikro-orm/migrations'

/** Adds how videos are encoded that play meanwhile, and which of their chunks are taken by an activity. */
export class GrowingFilms extends Migration {
  override up(): void {
    this.addSql(`create table growing_film (
      video_id text primary key references video (id), outline jsonb not null,
      created_at timestamptz not null default now())`)
    this.addSql(`create table chunk_claim (
      video_id text not null references video (id), ticket int not null,
      index int not null, created_at timestamptz not null default now(),
      primary key (video_id, ticket), unique (video_id, index))`)
  }
}
