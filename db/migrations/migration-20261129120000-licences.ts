import { Migration } from '@mikro-orm/migrations'

/** Adds the licence policy of plans, and the devices that DRM providers name. */
export class Licences extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const STATEMENTS = [
  `alter table plan add column hd_needs_hardware boolean not null default false,
    add column uhd_needs_hardware boolean not null default false,
    add column output_protection text not null default 'none'
      check (output_protection in ('none', 'best-effort', 'required')),
    add column licence_seconds int not null default 86400 check (licence_seconds between 60 and 86400),
    add column renewal_seconds int null
      check (renewal_seconds >= 30 and renewal_seconds < licence_seconds)`,
  // Each licence updates a row, so no index contains a changing column.
  `create table drm_device (
    account_id int not null references account (id), device_id text not null, system text null,
    viewer_id text null, first_seen_at timestamptz not null default now(),
    last_seen_at timestamptz not null default now(), revoked_at timestamptz null,
    primary key (account_id, device_id))`,
  `alter table drm_device set (fillfactor = 80)`,
]
