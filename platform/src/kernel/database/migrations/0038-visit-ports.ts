import { type Kysely, sql } from 'kysely'

/** Visits of machines' TCP ports: by what right, one-use tickets for their lines, and what passed at each port. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table visits
  -- A visitor may only look, where the agent's file lets visitors.
  add column port_reach text check (port_reach in ('user', 'visitor')),
  add constraint visits_port_reach check ((kind = 'tcp') = (port_reach is not null));

create table visit_tickets (
  ticket_hash bytea primary key check (octet_length(ticket_hash) = 32),
  visit_id bigint not null references visits on delete cascade,
  -- The mode that its person asked for: lines for a look stay so while the visit may do more.
  mode text not null check (mode in ('ro', 'rw')),
  expires_at timestamptz not null
);
create index visit_tickets_visit on visit_tickets (visit_id);
create index visit_tickets_expiry on visit_tickets (expires_at);

create table visit_ports (
  visit_id bigint not null references visits on delete cascade,
  name text not null,
  kind text not null,
  streams bigint not null default 0,
  bytes_in bigint not null default 0,
  bytes_out bigint not null default 0,
  reads bigint not null default 0,
  writes bigint not null default 0,
  refused bigint not null default 0,
  primary key (visit_id, name)
);
`)
    .execute(db)
}
