import { type Kysely, sql } from 'kysely'

/** The product's names and faces by host, and the pictures people gave it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(brands).execute(db)
}

const brands = `
create table brands (
  id bigint generated always as identity primary key,
  is_default boolean not null default false,
  name_cn text not null check (name_cn <> ''),
  name_en text not null check (name_en <> ''),
  logo_url text not null default '',
  logo_dark_url text not null default '',
  login_image_url text not null default '',
  favicon_url text not null default '',
  accent text not null default '' check (accent ~ '^(#[0-9a-f]{6})?$'),
  email_sender text not null default '',
  sms_signature text not null default '',
  versions jsonb not null,
  downloads jsonb not null default '[]',
  icp text not null default '',
  visit_domain text not null default '' check (visit_domain = lower(visit_domain)),
  created_at timestamptz not null default now()
);
create unique index brands_visit_domain on brands (visit_domain) where visit_domain <> '';
create unique index brands_default on brands (is_default) where is_default;

create table brand_hosts (
  host text primary key check (host = lower(host) and host <> ''),
  brand_id bigint not null references brands on delete cascade
);
create index brand_hosts_brand on brand_hosts (brand_id);

insert into brands (is_default, name_cn, name_en, versions) values (
  true, '母线工业云', 'Busbar',
  '{"pc": {"latest": "1.5.0", "lowest": "1.1.0"}, "mobile": {"latest": "1.5.0", "lowest": "1.1.0"}, "tv": {"latest": "1.3.0", "lowest": "1.1.0"}}'
);

create table uploads (
  key text primary key check (key ~ '^[0-9a-f]{32}$'),
  purpose text not null check (purpose in ('logo', 'brand')),
  user_id bigint references users on delete set null,
  kind text not null check (kind in ('svg', 'png', 'jpg', 'webp')),
  content bytea not null check (octet_length(content) between 1 and 2097152),
  created_at timestamptz not null default now()
);
create index uploads_user on uploads (user_id);
`
