import { Migration } from '@mikro-orm/migrations'

/** Adds the members of accounts, their sessions and passkeys, the audit log, and what the dashboard reads. */
export class Dashboard extends Migration {
  override up(): void {
    this.addMembers()
    this.addSessions()
    this.addAuditLog()
    this.addReads()
  }

  private addMembers(): void {
    this.addSql(
      `create table member (id serial primary key, email text not null unique, name text not null default '',
       password_hash text, created_at timestamptz not null default now())`,
    )
    this.addSql(
      `create table membership (account_id int not null references account on delete cascade,
       member_id int not null references member on delete cascade, role text not null
       check (role in ('owner', 'editor', 'reader')), created_at timestamptz not null default now(),
       primary key (account_id, member_id))`,
    )
    this.addSql('create index membership_member_id on membership (member_id)')
    this.addSql(
      `create table invitation (id serial primary key, token_hash text not null unique,
       account_id int not null references account on delete cascade, role text not null
       check (role in ('owner', 'editor', 'reader')), email text, invited_by text not null, is_from_operator boolean not null,
       created_at timestamptz not null default now(), expires_at timestamptz not null,
       used_at timestamptz)`,
    )
    this.addSql('create index invitation_account_id on invitation (account_id)')
    this.addSql(
      `create table passkey (id text primary key, member_id int not null references member on delete cascade,
       public_key bytea not null, counter bigint not null, transports text[] not null, name text not null,
       created_at timestamptz not null default now(), last_used_at timestamptz)`,
    )
    this.addSql('create index passkey_member_id on passkey (member_id)')
  }

  private addSessions(): void {
    this.addSql(
      `create table dashboard_session (id serial primary key, token_hash text not null unique,
       member_id int not null references member on delete cascade, ip text not null, agent text not null,
       created_at timestamptz not null default now(), last_seen_at timestamptz not null default now(),
       elevated_until timestamptz not null default now())`,
    )
    this.addSql('create index dashboard_session_member_id on dashboard_session (member_id)')
    // The columns that rate-limiter-flexible expects. Unlogged: a crash of PostgreSQL empties it.
    this.addSql(
      `create unlogged table sign_in_guess (key varchar(255) primary key, points int not null default 0,
       expire bigint)`,
    )
  }

  private addAuditLog(): void {
    this.addSql(
      `create table audit_entry (id bigserial primary key, account_id int references account on delete cascade,
       actor_kind text not null check (actor_kind in ('member', 'key', 'operator')), actor_id int,
       actor_name text not null, action text not null, subject text not null, before jsonb, after jsonb,
       request_id text, created_at timestamptz not null default now())`,
    )
    this.addSql('create index audit_entry_account_id on audit_entry (account_id, id)')
  }

  private addReads(): void {
    this.addSql('alter table account add column settings_version int not null default 1')
    this.addSql(
      `create unlogged table ingest_progress (video_id text not null, name text not null, stage text not null,
       fraction real, updated_at timestamptz not null default now(), primary key (video_id, name))`,
    )
    this.addSql('create extension if not exists pg_trgm')
    this.addSql('create index video_title_trgm on video using gin (title gin_trgm_ops)')
  }
}
