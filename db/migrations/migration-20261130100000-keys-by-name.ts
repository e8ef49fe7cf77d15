import { Migration } from '@mikro-orm/migrations'

/**
 * Lets one content key encrypt several tracks. The name of a key takes the place of its track type, with the
 * same value, so that keys sealed before still open.
 */
export class KeysByName extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const STATEMENTS = [
  'alter table content_key rename column track_type to name',
  'alter table content_key add column track_types text[]',
  'update content_key set track_types = array[name]',
  `alter table content_key alter column track_types set not null,
    add constraint content_key_tracks check (cardinality(track_types) > 0)`,
  // What a key server was asked for: a retry sends the same again.
  `create table key_request (
    video_id text not null references video (id), name text not null, track_types text[] not null,
    key_id text not null, iv_hex text not null, created_at timestamptz not null default now(),
    primary key (video_id, name))`,
  `alter table video add column key_model text null check (key_model in ('provider', 'own'))`,
  `update video set key_model = 'provider' where protection = 'multi-drm'
    and exists (select from content_key k where k.video_id = video.id)`,
]
