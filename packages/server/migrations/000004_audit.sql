-- Who changed which object. Written in the transaction of the change, and append-only: a trigger rejects updates and deletes.
-- Entries contain cluster IDs and no cluster names, so that deleting a cluster removes its name.

create table audit_entry (
  audit_id text primary key,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('person', 'key', 'agent', 'system')),
  actor_id text,
  actor_email text,
  credential_id text,
  action text not null,
  target_type text not null,
  target_id text not null,
  detail jsonb not null,
  address text,
  request_id text
);
create index audit_entry_actor on audit_entry (actor_id, audit_id);
create index audit_entry_target on audit_entry (target_id, audit_id);
create index audit_entry_action on audit_entry (action, audit_id);
create index audit_entry_at on audit_entry (at);
comment on table audit_entry is 'local: append-only record of every change';

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

create trigger audit_entry_append_only before update or delete or truncate on audit_entry
  for each statement execute function refuse_change();
